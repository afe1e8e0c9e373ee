//! The modules depend on each other in one direction, and what stands before `cli` is pure.
//!
//! The order is read from `lib.rs`: each module names only modules above it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules in the order of `lib.rs`.
fn order() -> Vec<String> {
    let lib = fs::read_to_string(root().join("src/lib.rs")).expect("lib.rs");
    let names = lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';').map(str::to_owned));
    names.collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// The code of each module without its comments, file by file.
fn code() -> BTreeMap<String, Vec<(PathBuf, String)>> {
    let mut code = BTreeMap::new();
    for module in order() {
        let mut files = Vec::new();
        collect(&root().join("src").join(format!("{module}.rs")), &mut files);
        collect(&root().join("src").join(&module), &mut files);
        assert!(!files.is_empty(), "{module} has no file");
        let texts = files.into_iter().map(|path| {
            let text = fs::read_to_string(&path).expect("a source file");
            let lines: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
            (path, lines.join("\n"))
        });
        code.insert(module, texts.collect());
    }
    code
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_file() && path.extension().is_some_and(|extension| extension == "rs") {
        files.push(path.to_path_buf());
    } else if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder of sources") {
            collect(&entry.expect("an entry").path(), files);
        }
    }
}

#[test]
fn each_module_names_only_those_above_it() {
    let order = order();
    assert_eq!(order.first().map(String::as_str), Some("quantity"));
    let place = |module: &str| order.iter().position(|known| known == module);
    let mut wrong = Vec::new();
    for (module, files) in code() {
        for (path, text) in files {
            for (at, _) in text.match_indices("crate::") {
                let name: String = text[at + 7..].chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
                // `crate::module` counts; a macro's `$crate::` does as well.
                if let Some(named) = place(&name)
                    && place(&module).is_some_and(|own| own < named)
                {
                    wrong.push(format!("{} names {name}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Whether a text holds a name that is no end of a longer one.
fn mentions(text: &str, name: &str) -> bool {
    let is_whole = |at: usize| !text[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_');
    text.match_indices(name).any(|(at, _)| is_whole(at))
}

#[test]
fn what_stands_before_the_command_is_pure() {
    let impure = [
        "std::fs",
        "std::env",
        "std::net",
        "std::process",
        "std::thread",
        "std::time",
        "Instant",
        "SystemTime",
        "thread_rng",
        "rand::",
        "println!",
        "eprintln!",
    ];
    let mut wrong = Vec::new();
    let code = code();
    for module in order().iter().take_while(|module| *module != "cli") {
        for (path, text) in code.get(module).into_iter().flatten() {
            for name in impure.iter().filter(|name| mentions(text, name)) {
                wrong.push(format!("{} mentions {name}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
