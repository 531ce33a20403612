//! What an editor asks about a place of a file: what is there, what can be written, and what can be
//! done. It knows no protocol.

mod actions;
mod allow;
mod catalogs;
mod completion;
mod cursor;
mod hover;
mod lenses;
mod lines;
mod navigation;
mod queries;
mod rename;
mod risks;
mod schemas;
mod settings;
mod symbols;

pub(crate) use actions::{Action, ActionKind, Does, actions};
pub(crate) use catalogs::{about_name, complete_catalog};
pub(crate) use completion::{Completion, CompletionKind, completions};
pub(crate) use hover::hover;
pub(crate) use lenses::{Lens, LensAction, extension, lenses};
pub(crate) use navigation::{definition, references};
pub(crate) use queries::{foldings, layout, words_of};
pub(crate) use rename::{renamable, rename};
pub(crate) use settings::{about_setting, complete_settings, fault};
pub(crate) use symbols::{Symbol, SymbolKind, of_file, of_repository};
