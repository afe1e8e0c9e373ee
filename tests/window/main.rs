//! The window as a person uses it: through the keyboard, the names of its controls, and what is read out.

#![cfg(feature = "gui")]

mod support;

mod commands;
mod comparing;
mod editing;
mod evidence;
mod explaining;
mod files;
mod ledger;
mod levers;
mod pages;
mod sensitivity;
