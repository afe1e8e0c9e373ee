//! The window as a person uses it: through the keyboard, the names of its controls, and what is read out.

#![cfg(feature = "gui")]

mod support;

mod by_keyboard;
mod commands;
mod compare_page;
mod comparing;
mod drivers;
mod editing;
mod evidence;
mod explaining;
mod files;
mod history;
mod ledger;
mod levers;
mod looks;
mod pages;
mod presenting;
mod recovery;
mod rebuild;
mod sensitivity;
mod uncertainty;
