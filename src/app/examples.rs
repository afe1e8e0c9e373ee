//! The scenarios that ship inside the program.

/// A scenario that a person can begin from.
pub struct Example {
    pub name: &'static str,
    pub text: &'static str,
}

/// In the order of the menu; the first is what opens when no file is named.
pub static ALL: [Example; 4] = [
    Example { name: "Regional AI platform", text: include_str!("../../scenarios/regional-platform.ron") },
    Example { name: "Inference start-up", text: include_str!("../../scenarios/inference-startup.ron") },
    Example { name: "University cluster", text: include_str!("../../scenarios/university-cluster.ron") },
    Example { name: "The guide’s worked example", text: include_str!("../../scenarios/guide-example.ron") },
];
