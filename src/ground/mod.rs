//! What every other building uses: types, texts, and where bytes come from.

pub(crate) mod domain;
pub(crate) mod git;
pub(crate) mod go;
pub(crate) mod http;
pub(crate) mod moves;
pub(crate) mod owner;
pub(crate) mod text;
pub(crate) mod tree;
pub(crate) mod yaml;
