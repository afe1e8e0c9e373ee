//! Unsaved work kept through a crash: what is offered at the next start, and what becomes of it.

use crate::support::*;

/// A window on a file whose unsaved work is kept in a folder.
fn keeping(file: Option<PathBuf>, folder: &Path) -> Window {
    window_of(App::on(file).keeping(folder))
}

/// What is in the folder: the work that is kept, without the locks.
fn kept(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).expect("the folder is there").filter_map(Result::ok);
    entries.filter(|entry| entry.path().extension().is_some_and(|extension| extension == "json")).count()
}

fn wait_until_kept(window: &mut Window) {
    wait_for(window, |window| window.query_by_label_contains("Autosaved").is_some());
}

/// A window with an unsaved price, gone without having been asked anything.
fn crash(file: Option<PathBuf>, folder: &Path) -> Vec<String> {
    let mut window = keeping(file, folder);
    change_price(&mut window, "123,456.78");
    let changed = totals(&window);
    wait_until_kept(&mut window);
    changed
}

#[test]
fn after_a_crash_the_work_is_offered_and_recovered_as_a_step_after_the_file() {
    let (folder, path) = folder();
    let data = folder.path().join("unsaved");
    let changed = crash(Some(path.clone()), &data);
    let saved = totals(&window_on(Some(path.clone())));
    let mut window = keeping(None, &data);
    window.get_by_label("Unsaved work was found");
    window.get_by_label_contains("plan.ron: 1 change that no file has");
    click(&mut window, Role::Button, "Recover");
    assert_eq!(totals(&window), changed);
    assert_eq!(window.state().path(), Some(path.as_path()));
    assert!(window.state().unsaved());
    command(&mut window, Key::Z);
    assert_eq!(totals(&window), saved);
    command(&mut window, Key::Y);
    command(&mut window, Key::S);
    assert!(!window.state().unsaved());
    window.run();
    assert_eq!(kept(&data), 0, "what is saved is kept nowhere else");
    assert_eq!(totals(&window_on(Some(path))), changed);
}

/// Until the recovered work is kept again or saved, a second crash must not lose it.
#[test]
fn a_crash_right_after_recovering_loses_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let changed = crash(None, folder.path());
    let mut window = keeping(None, folder.path());
    click(&mut window, Role::Button, "Recover");
    drop(window);
    let mut window = keeping(None, folder.path());
    click(&mut window, Role::Button, "Recover");
    assert_eq!(totals(&window), changed);
}

#[test]
fn work_that_is_discarded_is_not_offered_again_and_work_for_later_is() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    crash(None, folder.path());
    let mut window = keeping(None, folder.path());
    click(&mut window, Role::Button, "Decide later");
    assert!(window.query_by_label("Unsaved work was found").is_none());
    assert!(!window.state().unsaved());
    // It can be asked for while the window is open, and is offered at the next start.
    choose(&mut window, "File", "Recover unsaved work…");
    press(&mut window, Key::Escape);
    drop(window);
    let mut window = keeping(None, folder.path());
    click(&mut window, Role::Button, "Discard");
    assert_eq!(kept(folder.path()), 0);
    drop(window);
    assert!(keeping(None, folder.path()).query_by_label("Unsaved work was found").is_none());
}

#[test]
fn work_that_is_given_up_on_leaving_is_kept_no_longer() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut window = keeping(None, folder.path());
    change_price(&mut window, "123,456");
    wait_until_kept(&mut window);
    command(&mut window, Key::Q);
    window.get_by_label("Don’t save").click();
    assert!(sends(&mut window, &ViewportCommand::Close));
    assert_eq!(kept(folder.path()), 0);
}

/// A window that lives keeps its work to itself; the other offers nothing of it, and keeps its own.
#[test]
fn two_windows_at_once_keep_their_own_work() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut first = keeping(None, folder.path());
    change_price(&mut first, "123,456");
    wait_until_kept(&mut first);
    let mut second = keeping(None, folder.path());
    assert!(second.query_by_label("Unsaved work was found").is_none());
    change_price(&mut second, "234,567");
    wait_until_kept(&mut second);
    assert_eq!(kept(folder.path()), 2);
    command(&mut second, Key::Z);
    second.run();
    assert_eq!(kept(folder.path()), 1, "the work of the first is still there");
    drop((first, second));
    keeping(None, folder.path()).get_by_label("Unsaved work was found");
}

#[test]
fn recovered_work_does_not_overwrite_a_file_that_has_changed_since() {
    let (folder, path) = folder();
    let data = folder.path().join("unsaved");
    crash(Some(path.clone()), &data);
    let text = std::fs::read_to_string(&path).expect("the file is there");
    std::fs::write(&path, text + "\n// theirs\n").expect("a file can be written");
    let mut window = keeping(None, &data);
    click(&mut window, Role::Button, "Recover");
    command(&mut window, Key::S);
    window.get_by_label("The file was changed by someone else");
}

/// The time of the window goes on by a quarter of a second with every frame, of which the disk gets at least a part.
#[test]
fn work_is_kept_within_twenty_seconds_and_the_window_then_rests() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut window = keeping(None, folder.path());
    change_price(&mut window, "123,456");
    let began = window.ctx.input(|input| input.time);
    wait_for(&mut window, |window| {
        std::thread::sleep(std::time::Duration::from_millis(25));
        window.query_by_label_contains("Autosaved").is_some()
    });
    let took = window.ctx.input(|input| input.time) - began;
    assert_eq!(kept(folder.path()), 1);
    assert!(took < 20.0, "{took}");
    window.run();
    let delay = window.output().viewport_output[&ViewportId::ROOT].repaint_delay;
    assert!(std::time::Duration::from_secs(5) < delay, "{delay:?}");
}
