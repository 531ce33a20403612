//! The sources of updates: predicted from a history, or given.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use exitpath::testing::domain::{Arch, Named};
use exitpath::testing::graph_data::{self, GraphData};
use exitpath::testing::history::{Cache, History};
use exitpath::testing::lineage::{Lineage, LineageNodeId, Past};
use serde_json::{Value, json};

use crate::shared::scratch::git_command;
use crate::shared::skipped;
use crate::{Run, Scratch, exitpath, git, real_data};

/// A repository with commits at given hours.
pub(crate) struct GrowingRepository {
    pub(crate) scratch: Scratch,
}

const RANGES: &str = "default:\n  minor_min: 4.1.0\n  minor_max: 4.1.9999\n  minor_block_list: []\n  \
                      z_min: 4.2.0\n  z_max: 4.2.9999\n  z_block_list: []\n";

impl GrowingRepository {
    pub(crate) fn new(name: &str) -> Self {
        Self::starting(0, name)
    }

    /// A repository whose first commit is some hours after the usual start.
    fn starting(hour: i64, name: &str) -> Self {
        let scratch = Scratch::new(name);
        git(scratch.path(), &["init", "-q"]);
        scratch.write("version", "1.1.0\n");
        scratch.write("build-suggestions/4.2.yaml", RANGES);
        fs::create_dir_all(scratch.path().join("blocked-edges")).unwrap();
        let grown = Self { scratch };
        grown.commit(hour);
        grown
    }

    pub(crate) fn path(&self) -> &Path {
        self.scratch.path()
    }

    /// Adds a release to channels, some hours after the start.
    pub(crate) fn enable(&self, hour: i64, version: &str, channels: &[&str]) -> &Self {
        for channel in channels {
            let folder = if channel.contains('-') { "channels" } else { "internal-channels" };
            let file = format!("{folder}/{channel}.yaml");
            let head = format!("name: {channel}\nversions:\n");
            let known = fs::read_to_string(self.path().join(&file)).unwrap_or(head);
            self.scratch.write(&file, format!("{known}- {version}\n"));
        }
        self.commit(hour);
        self
    }

    pub(crate) fn commit(&self, hour: i64) {
        git(self.path(), &["add", "-A"]);
        self.git_at(hour, &["commit", "-q", "--allow-empty", "-m", "more"]);
    }

    /// Switches to a new branch.
    fn branch(&self, name: &str) -> &Self {
        git(self.path(), &["checkout", "-q", "-b", name]);
        self
    }

    /// Switches to a branch.
    fn switch(&self, name: &str) -> &Self {
        git(self.path(), &["checkout", "-q", name]);
        self
    }

    fn merge(&self, hour: i64, branch: &str, subject: &str) -> &Self {
        self.git_at(hour, &["merge", "-q", "--no-ff", "-m", subject, branch]);
        self
    }

    /// Runs git some hours after the start.
    fn git_at(&self, hour: i64, arguments: &[&str]) {
        let date = format!("{} +0000", START + hour * 3600);
        let output = crate::shared::scratch::git_command()
            .arg("-C")
            .arg(self.path())
            .args(["-c", "user.name=t", "-c", "user.email=t@example.com"])
            .args(arguments)
            .env("GIT_COMMITTER_DATE", &date)
            .env("GIT_AUTHOR_DATE", &date)
            .output()
            .unwrap();
        assert!(output.status.success());
    }

    /// The updates of amd64, such as `4.1.0 -> 4.1.1`, with a `?` after uncertain ones; and the
    /// unlikely ones.
    fn predicted(&self) -> (Vec<String>, Vec<String>) {
        predicted(self.path(), &Past::read(self.path(), None, &Cache::none()).unwrap())
    }
}

fn predicted(root: &Path, past: &Past) -> (Vec<String>, Vec<String>) {
    let data = GraphData::from_blobs(graph_data::blobs(root, None).unwrap());
    let lineage = Lineage::predicted(&data, past, &[Arch::Amd64]);
    let name = |id: LineageNodeId| {
        let version = lineage.nodes[id].version.to_string();
        version.split('+').next().unwrap().to_owned()
    };
    let updates = lineage.updates.iter().map(|update| {
        let doubt = if update.knowledge == exitpath::testing::graph::Knowledge::Uncertain {
            " ?"
        } else {
            ""
        };
        format!("{} -> {}{doubt}", name(update.from), name(update.to))
    });
    let doubted =
        lineage.unlikely.iter().map(|(from, to)| format!("{} -> {}", name(*from), name(*to)));
    (updates.collect(), doubted.collect())
}

const DAY: i64 = 24;
/// 2023-11-14. Since 2023 promotions say which updates exist.
const START: i64 = 1_700_000_000;

#[test]
fn a_release_lists_the_releases_enabled_before_it() {
    let grown = GrowingRepository::new("order");
    grown
        .enable(0, "4.1.0", &["candidate"])
        .enable(30 * DAY, "4.2.0", &["candidate"])
        .enable(60 * DAY, "4.1.1", &["candidate"])
        .enable(90 * DAY, "4.2.1", &["candidate"]);
    let (updates, doubted) = grown.predicted();
    assert_eq!(updates, ["4.1.0 -> 4.2.0", "4.1.0 -> 4.2.1", "4.1.1 -> 4.2.1", "4.2.0 -> 4.2.1"]);
    assert!(doubted.is_empty(), "{doubted:?}");
}

#[test]
fn updates_between_releases_of_one_week_are_uncertain() {
    let grown = GrowingRepository::new("week");
    grown
        .enable(0, "4.1.0", &["candidate"])
        .enable(30 * DAY, "4.2.0", &["candidate"])
        .enable(31 * DAY, "4.1.1", &["candidate"])
        .enable(34 * DAY, "4.1.2", &["candidate"])
        .enable(36 * DAY, "4.1.3", &["candidate"]);
    let (updates, doubted) = grown.predicted();
    assert_eq!(updates, ["4.1.0 -> 4.2.0", "4.1.1 -> 4.2.0 ?"], "a day later: in the same batch");
    assert_eq!(doubted, ["4.1.2 -> 4.2.0"], "four days later: probably not; six: surely not");
}

#[test]
fn a_promotion_shows_that_a_release_has_an_update() {
    let all = ["candidate", "fast-4.1"];
    let grown = GrowingRepository::new("joins");
    grown
        .enable(0, "4.2.0", &["candidate", "fast-4.2"])
        .enable(DAY, "4.1.1", &all)
        .enable(2 * DAY, "4.1.2", &all)
        .enable(2 * DAY + 5, "4.1.1", &["fast-4.2"])
        .enable(9 * DAY, "4.2.1", &["candidate", "fast-4.2"])
        .enable(9 * DAY + 5, "4.1.2", &["fast-4.2"]);
    let (updates, doubted) = grown.predicted();
    assert_eq!(
        updates,
        ["4.1.1 -> 4.2.0", "4.1.1 -> 4.2.1", "4.1.2 -> 4.2.1", "4.2.0 -> 4.2.1"],
        "4.1.1 joined beside 4.2.0, and 4.1.2 waited for 4.2.1"
    );
    assert!(doubted.is_empty(), "{doubted:?}");
}

#[test]
fn before_2023_promotions_say_nothing() {
    let all = ["candidate", "fast-4.1"];
    let years = 2 * 365 * DAY;
    let grown = GrowingRepository::starting(-years, "unchecked");
    grown
        .enable(-years, "4.2.0", &["candidate", "fast-4.2"])
        .enable(2 * DAY - years, "4.1.1", &all)
        .enable(2 * DAY + 5 - years, "4.1.1", &["fast-4.2"])
        .enable(9 * DAY - years, "4.2.1", &["candidate", "fast-4.2"])
        .enable(10 * DAY - years, "4.1.2", &["fast-4.2"]);
    let (updates, doubted) = grown.predicted();
    assert_eq!(updates, ["4.1.1 -> 4.2.1", "4.1.2 -> 4.2.1 ?", "4.2.0 -> 4.2.1"]);
    assert_eq!(doubted, ["4.1.1 -> 4.2.0"], "4.1.1 joined beside 4.2.0, but nobody checked that");
}

#[test]
fn a_branch_that_is_updated_does_not_hide_the_mainline() {
    let grown = GrowingRepository::new("updated");
    grown.branch("mine").commit(DAY);
    grown
        .switch("main")
        .enable(2 * DAY, "4.1.0", &["candidate"])
        .enable(30 * DAY, "4.2.0", &["candidate"])
        .enable(60 * DAY, "4.1.1", &["candidate"])
        .enable(90 * DAY, "4.2.1", &["candidate"])
        .switch("mine")
        .merge(100 * DAY, "main", "Merge branch 'main' into mine");
    let (updates, doubted) = grown.predicted();
    assert_eq!(
        updates,
        ["4.1.0 -> 4.2.0", "4.1.0 -> 4.2.1", "4.1.1 -> 4.2.1", "4.2.0 -> 4.2.1"],
        "they were not enabled together, by the merge"
    );
    assert!(doubted.is_empty(), "{doubted:?}");
}

#[test]
fn a_release_exists_when_it_is_proposed() {
    let grown = GrowingRepository::new("proposed");
    for (branch, proposed) in [("soon", 31 * DAY), ("wrong-clock", -400 * DAY)] {
        let version = if branch == "soon" { "4.1.0" } else { "4.1.1" };
        grown.switch("main").branch(branch).enable(proposed, version, &["candidate-4.1"]);
    }
    grown.switch("main").enable(32 * DAY, "4.2.0", &["candidate"]);
    for (day, branch) in [(40, "soon"), (42, "wrong-clock")] {
        grown.scratch.write(".git/info/attributes", "* merge=union\n");
        let subject = format!("Merge pull request #{day} from someone/{branch}");
        grown.merge(day * DAY, branch, &subject);
    }
    let (updates, doubted) = grown.predicted();
    assert_eq!(updates, ["4.1.0 -> 4.2.0 ?"], "merged eight days later, but proposed before");
    assert!(doubted.is_empty(), "a proposal of the year before is a wrong clock: {doubted:?}");
}

#[test]
fn pre_releases_are_not_built_with_the_week() {
    let grown = GrowingRepository::new("pre-releases");
    grown.scratch.write("build-suggestions/4.2.yaml", RANGES.replace("4.2.0", "4.2.0-ec.0"));
    grown
        .enable(0, "4.1.0", &["candidate"])
        .enable(30 * DAY, "4.2.0-rc.0", &["candidate"])
        .enable(31 * DAY, "4.1.1", &["candidate"])
        .enable(40 * DAY, "4.2.0-rc.1", &["candidate"])
        .enable(40 * DAY + 1, "4.2.0-rc.2", &["candidate"]);
    let (updates, doubted) = grown.predicted();
    let of = |pair: &str| updates.iter().find(|update| update.starts_with(pair));
    assert_eq!(doubted, ["4.1.1 -> 4.2.0-rc.0"], "a day later: no batch begins with 4.1");
    assert_eq!(of("4.2.0-rc.0 -> 4.2.0-rc.1").unwrap(), "4.2.0-rc.0 -> 4.2.0-rc.1");
    assert_eq!(of("4.2.0-rc.1 -> 4.2.0-rc.2").unwrap(), "4.2.0-rc.1 -> 4.2.0-rc.2 ?", "a respin");
}

#[test]
fn before_march_2021_releases_list_only_the_last_ones() {
    let long_ago = -3 * 365 * DAY;
    let grown = GrowingRepository::starting(long_ago, "last-ones");
    for patch in 0..14 {
        grown.enable(long_ago + patch * 7 * DAY, &format!("4.2.{patch}"), &["candidate"]);
    }
    grown.enable(0, "4.2.14", &["candidate"]);
    let (updates, doubted) = grown.predicted();
    let to = |target: &str| updates.iter().filter(|update| update.ends_with(target)).count();
    assert_eq!((to("4.2.11"), to("4.2.12"), to("4.2.13")), (11, 11, 11));
    assert_eq!(doubted, ["4.2.0 -> 4.2.12", "4.2.0 -> 4.2.13", "4.2.1 -> 4.2.13"]);
    assert_eq!(to("4.2.14"), 14, "all since then");
}

#[test]
fn ranges_of_the_day_apply() {
    let grown = GrowingRepository::new("ranges");
    grown.enable(0, "4.1.0", &["candidate"]).enable(30 * DAY, "4.2.0", &["candidate"]);
    grown.scratch.write("build-suggestions/4.2.yaml", RANGES.replace("4.1.0", "4.1.5"));
    grown.commit(60 * DAY);
    grown
        .enable(60 * DAY + 12, "4.2.1", &["candidate"])
        .enable(62 * DAY, "4.2.2", &["candidate"])
        .enable(90 * DAY, "4.2.3", &["candidate"]);
    let (updates, doubted) = grown.predicted();
    let across: Vec<&String> = updates.iter().filter(|update| update.starts_with("4.1")).collect();
    assert_eq!(
        across,
        ["4.1.0 -> 4.2.0", "4.1.0 -> 4.2.1 ?"],
        "4.2.1 was enabled half a day after the change, and probably built before it"
    );
    assert_eq!(doubted, ["4.1.0 -> 4.2.2"], "enabled two days after the change");
}

#[test]
fn an_architecture_can_have_its_own_ranges() {
    let grown = GrowingRepository::new("arches");
    let own =
        format!("{RANGES}s390x:\n{}", &RANGES["default:\n".len()..].replace("4.1.0", "4.1.1"));
    grown.scratch.write("build-suggestions/4.2.yaml", own);
    grown.commit(1);
    grown.enable(30 * DAY, "4.1.0", &["candidate"]).enable(60 * DAY, "4.2.0", &["candidate"]);
    let data = GraphData::from_blobs(graph_data::blobs(grown.path(), None).unwrap());
    let past = Past::read(grown.path(), None, &Cache::none()).unwrap();
    let lineage = Lineage::predicted(&data, &past, Arch::ALL);
    let targets = lineage.updates.iter().map(|u| lineage.nodes[u.to].version.build.to_string());
    assert_eq!(
        targets.collect::<BTreeSet<_>>(),
        ["amd64", "arm64", "multi", "ppc64le"].map(str::to_owned).into()
    );
}

#[test]
fn without_git_the_order_in_candidate_decides() {
    let grown = GrowingRepository::new("tarball");
    grown.enable(0, "4.1.0", &["candidate"]).enable(30 * DAY, "4.2.0", &["candidate"]);
    for patch in 1..20 {
        grown.enable((30 + patch) * DAY, &format!("4.1.{patch}"), &["candidate"]);
    }
    fs::remove_dir_all(grown.path().join(".git")).unwrap();
    let run = graph(grown.path(), &["--arch", "amd64", "--format", "edges"]);
    assert_eq!(
        run.err,
        "exitpath: there is no git history (the folder is in no git repository): exitpath \
         takes the order of releases from internal-channels/candidate.yaml, and uses today's ranges\n\
         exitpath: updates are from the repository without its history; no updates to releases of 4.1 are predicted\n"
    );
    assert!(run.out.contains("4.1.0+amd64 -> 4.2.0+amd64  # uncertain\n"), "{}", run.out);
    // The mark is enough, except for those who want to know more.
    let verbose = graph(grown.path(), &["--arch", "amd64", "--format", "edges", "-v"]);
    assert!(verbose.err.contains("history; 1 of them is uncertain; no updates"), "{}", verbose.err);
    assert!(!run.out.contains("4.1.19+amd64 -> 4.2.0+amd64"), "{}", run.out);
}

fn graph(repository: &Path, arguments: &[&str]) -> Run {
    let repository = repository.to_str().unwrap();
    let mut run =
        exitpath(["graph", repository, "--no-cache"].into_iter().chain(arguments.iter().copied()));
    // These repositories have only what the lineage needs.
    let lines = run.err.lines().filter(|line| !line.ends_with("is missing: the service needs it"));
    run.err = lines.flat_map(|line| [line, "\n"]).collect();
    run
}

#[test]
fn a_shallow_clone_gets_a_note() {
    let grown = GrowingRepository::new("deep");
    grown.enable(0, "4.1.0", &["candidate", "stable-4.2"]).enable(
        30 * DAY,
        "4.2.0",
        &["candidate", "stable-4.2"],
    );
    let shallow = Scratch::new("shallow");
    let from = format!("file://{}", grown.path().display());
    git(shallow.path(), &["clone", "-q", "--depth", "1", &from, "clone"]);
    let run =
        graph(&shallow.path().join("clone"), &["--channel", "stable-4.2", "--format", "edges"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.err.starts_with("exitpath: this is a shallow clone:"), "{}", run.err);
    assert_eq!(run.err.lines().count(), 2);
    assert!(run.out.contains("4.1.0 -> 4.2.0"), "{}", run.out);
}

/// `check` gets the same notes as `graph`: without them, a guess looks like the history.
#[test]
fn a_check_without_the_whole_history_gets_a_note() {
    let grown = GrowingRepository::new("whole");
    grown.scratch.write("exitpath.toml", "[supported]\ndays = 90\n");
    grown.enable(0, "4.1.0", &["candidate"]).enable(DAY, "4.1.1", &["candidate", "stable-4.1"]);
    let shallow = Scratch::new("checked-shallow");
    let from = format!("file://{}", grown.path().display());
    git(shallow.path(), &["clone", "-q", "--depth", "1", &from, "clone"]);
    let shallow = shallow.path().join("clone");
    let without = Scratch::copy_of("checked-plain", &shallow);
    fs::remove_dir_all(without.path().join(".git")).unwrap();
    let check = |folder: &Path, more: &[&str]| {
        let start = ["check", folder.to_str().unwrap(), "--no-cache"];
        exitpath(start.iter().chain(more)).err
    };
    let of_shallow = "exitpath: this is a shallow clone: for older releases, exitpath takes";
    let of_none =
        "exitpath: there is no git history (the folder is in no git repository): exitpath takes";
    for (folder, note) in [(shallow.as_path(), of_shallow), (without.path(), of_none)] {
        let err = check(folder, &[]);
        assert!(err.starts_with(note), "{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert_eq!(check(folder, &["--quiet"]), "");
        // Rules that need no updates need no history.
        assert_eq!(check(folder, &["--select", "structure"]), "");
        assert!(!check(folder, &["--no-graph"]).contains("history"));
    }
    assert!(check(&shallow, &["--base", "HEAD"]).starts_with(of_shallow));
    assert_eq!(check(grown.path(), &[]), "");
    assert_eq!(check(grown.path(), &["--base", "HEAD"]), "");
}

/// Everything that can happen to a cache.
#[test]
fn the_cache_of_a_history_is_used_and_repaired() {
    let grown = GrowingRepository::new("cache");
    grown.enable(0, "4.1.0", &["candidate"]).enable(
        30 * DAY,
        "4.2.0",
        &["candidate", "stable-4.2"],
    );
    let kept = Scratch::new("kept");
    let cache = Cache::at(kept.path().to_owned());
    let read = |cache: &Cache| History::read(grown.path(), None, cache).unwrap();
    let cold = read(&Cache::none());
    assert_eq!(read(&cache), cold);
    let files = crate::files_below(kept.path());
    assert_eq!(files.len(), 1, "{files:?}");

    let warm = fs::read_to_string(&files[0]).unwrap();
    assert_eq!(read(&cache), cold, "what was kept says the same");
    fs::write(&files[0], &warm[..warm.len() / 2]).unwrap();
    assert_eq!(read(&cache), cold, "a damaged file is not believed");
    assert_eq!(fs::read_to_string(&files[0]).unwrap(), warm, "and written anew");
    let other = "0".repeat(40);
    let folder = files[0].parent().unwrap();
    fs::write(folder.join(&other), &warm).unwrap();
    fs::create_dir(folder.join("1".repeat(40))).unwrap();
    fs::write(folder.join("notes.txt"), "foreign").unwrap();

    grown.enable(60 * DAY, "4.2.1", &["candidate"]);
    let whole = read(&Cache::none());
    assert_eq!(read(&cache), whole, "what is new is added to what was kept");
    assert!(whole != cold);

    git(grown.path(), &["checkout", "-q", "-b", "other", "HEAD~2"]);
    grown.enable(61 * DAY, "4.1.1", &["candidate"]);
    assert_eq!(read(&cache), read(&Cache::none()), "another branch is not added to this one");
    git(grown.path(), &["checkout", "-q", "main"]);
    git(grown.path(), &["merge", "-q", "-X", "ours", "--no-edit", "other"]);
    assert_eq!(read(&cache), read(&Cache::none()), "nor is what a merge brings");

    fs::remove_dir_all(kept.path().join("history")).unwrap();
    let readers: Vec<_> = (0..4)
        .map(|_| {
            let (cache, root) = (cache.clone(), grown.path().to_owned());
            std::thread::spawn(move || History::read(&root, None, &cache).unwrap())
        })
        .collect();
    let whole = read(&Cache::none());
    for reader in readers {
        assert_eq!(reader.join().unwrap(), whole, "several at once");
    }
    let nowhere = Cache::at(Path::new("/proc/nowhere").to_owned());
    assert_eq!(read(&nowhere), whole, "a cache that cannot be written is none");
}

/// A clone of two commits, whose first one is not what its id says: in it, the release was never
/// enabled.
fn forged_clone(name: &str, of: &GrowingRepository) -> Scratch {
    let clone = Scratch::copy_of(name, of.path());
    let run = |arguments: &[&str]| {
        let output = git_command().arg("-C").arg(clone.path()).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let first = run(&["rev-parse", "HEAD~1"]);
    let empty = run(&["hash-object", "-t", "tree", "-w", "/dev/null"]);
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    let forged = run(&[&identity[..], &["commit-tree", "-m", "forged", &empty]].concat());
    let object = |id: &str| clone.path().join(format!(".git/objects/{}/{}", &id[..2], &id[2..]));
    fs::remove_file(object(&first)).unwrap();
    fs::copy(object(&forged), object(&first)).unwrap();
    clone
}

/// The id of a commit does not say what its history is, if somebody else made the clone.
#[cfg(unix)]
#[test]
fn a_hostile_clone_does_not_change_what_another_one_reads() {
    let honest = GrowingRepository::new("honest");
    honest.enable(0, "4.1.0", &["candidate"]).enable(DAY, "4.1.1", &["candidate"]);
    let expected = History::read(honest.path(), None, &Cache::none()).unwrap();
    let kept = Scratch::new("kept-apart");
    let cache = Cache::at(kept.path().to_owned());

    let hostile = forged_clone("hostile", &honest);
    let read = |folder: &Path| History::read(folder, None, &cache).unwrap();
    assert!(read(hostile.path()) != expected, "the clone is forged");
    assert!(read(honest.path()) == expected);

    // A later clone at the same path is another one.
    fs::remove_dir_all(hostile.path()).unwrap();
    git(honest.path(), &["clone", "-q", ".", hostile.path().to_str().unwrap()]);
    assert!(read(hostile.path()) == expected);

    // What is read through objects of another repository is not kept.
    let forged = forged_clone("lender", &honest);
    let borrower = Scratch::new("borrower");
    fs::remove_dir(borrower.path()).unwrap();
    let (from, to) = (forged.path().to_str().unwrap(), borrower.path().to_str().unwrap());
    git(honest.path(), &["clone", "-q", "--shared", "--no-checkout", from, to]);
    let before = crate::files_below(kept.path()).len();
    read(borrower.path());
    assert_eq!(crate::files_below(kept.path()).len(), before);
}

/// Whoever owns the cache decides what is read from it.
#[cfg(unix)]
#[test]
fn a_cache_of_another_user_is_not_used() {
    let grown = GrowingRepository::new("foreign-cache");
    grown.enable(0, "4.1.0", &["candidate"]);
    let kept = Scratch::new("kept-foreign");
    let cache = Cache::at(kept.path().to_owned());
    let read = || History::read(grown.path(), None, &cache).unwrap();
    let expected = read();
    let file = crate::files_below(kept.path()).remove(0);
    if std::os::unix::fs::chown(&file, Some(12345), None).is_err() {
        skipped("only root can give a file to another user");
        return;
    }
    assert_eq!(read(), expected);
    let owner = |path: &Path| std::os::unix::fs::MetadataExt::uid(&fs::metadata(path).unwrap());
    assert_eq!(owner(&file), owner(grown.path()), "it is written anew");

    std::os::unix::fs::chown(kept.path(), Some(12345), None).unwrap();
    fs::remove_file(&file).unwrap();
    assert_eq!(read(), expected);
    assert_eq!(crate::files_below(kept.path()), Vec::<PathBuf>::new());
}

#[test]
fn a_folder_of_release_metadata_is_a_source() {
    let scratch = Scratch::copy_of("documents", Path::new("fixtures/graph-data"));
    let document = |version: &str, previous: &[&str]| {
        json!({"kind": "cincinnati-metadata-v0", "version": version, "previous": previous,
               "metadata": {"url": "https://example.com"}})
        .to_string()
    };
    scratch.write("given/a/4.1.0.json", document("4.1.0", &[]));
    scratch.write("given/b", document("4.1.1", &["4.1.0", "4.0.9"]));
    let hash = "0123456789abcdef0123456789abcdef";
    let node = "version: 4.1.2\nkind: cincinnati-metadata-v0\nprevious: [4.1.1, 4.1.2]\nimage-config-data: {architecture: s390x}\n";
    scratch.write(&format!("given/sha256/{hash}"), node);
    scratch.write("given/sha256/fedcba9876543210fedcba9876543210", "{}\n");
    scratch.write("given/notes.md", "# a list\n- of [things");
    let given = scratch.path().join("given");
    let run = graph(scratch.path(), &["--releases", given.to_str().unwrap(), "--format", "edges"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let of = |arch: &str| {
        let lines = run.out.lines().filter(|line| line.contains(arch));
        lines.map(|line| line.replace(&format!("+{arch}"), "")).collect::<Vec<_>>()
    };
    assert_eq!(of("amd64"), ["4.0.9 -> 4.1.1", "4.1.0 -> 4.1.1"]);
    assert_eq!(of("s390x"), ["4.0.9 -> 4.1.1", "4.1.0 -> 4.1.1", "4.1.1 -> 4.1.2"]);
    assert!(
        run.err.contains("4.1.2+s390x lists itself as an origin: the service rejects such a graph"),
        "{}",
        run.err
    );
    assert!(run.err.contains("skipped 1 file without release metadata in"), "{}", run.err);
    let run = graph(scratch.path(), &["--releases", given.to_str().unwrap()]);
    let whole: Value = serde_json::from_str(&run.out).unwrap();
    let nodes = whole["nodes"].as_array().unwrap();
    let node = |version: &str| nodes.iter().find(|node| node["version"] == version).unwrap();
    let key = "io.openshift.upgrades.graph.release.manifestref";
    assert_eq!(node("4.1.2+s390x")["metadata"][key], format!("sha256:{hash}"));
    assert_eq!(node("4.0.9+amd64"), &json!({"version": "4.0.9+amd64"}), "named, and never seen");
}

#[test]
fn unusable_sources_are_errors() {
    let scratch = Scratch::copy_of("sources", Path::new("fixtures/graph-data"));
    let cut = scratch.write("cut.json", "{\"nodes\": [\n{\"version\": \"4.");
    let huge = scratch.path().join("huge.json");
    fs::File::create(&huge).unwrap().set_len(200 << 20).unwrap();
    fs::create_dir(scratch.path().join("empty")).unwrap();
    let nothing = scratch.path().join("nothing.json");
    for (source, words) in [
        (&cut, "cut.json:2 cannot be used as a graph: it is incomplete"),
        (&huge, "huge.json: it has 200 MiB, but the limit is 128 MiB"),
        (&scratch.path().join("empty"), "there is no release metadata in"),
        (&nothing, "there is no file or folder"),
    ] {
        let run = graph(scratch.path(), &["--releases", source.to_str().unwrap()]);
        assert_eq!(run.status, 2);
        assert!(run.err.contains(words), "{}", run.err);
        assert!(run.out.is_empty());
    }
}

#[test]
fn contradictions_between_sources_are_noted() {
    let scratch = Scratch::copy_of("contradictions", Path::new("fixtures/graph-data"));
    let answer = |edges: Value, payload: &str, third: &str| {
        let node = |version: &str| {
            json!({"version": version, "payload": payload,
                   "metadata": {"io.openshift.upgrades.graph.release.channels": "stable-4.1"}})
        };
        let nodes = [node("4.1.0"), node("4.1.1"), node(third)];
        json!({"version": 1, "nodes": nodes, "edges": edges, "conditionalEdges": []}).to_string()
    };
    let one =
        scratch.write("one.json", answer(json!([[0, 1], [1, 2], [2, 1]]), "r@sha256:1", "4.1.2"));
    let two = scratch.write("two.json", answer(json!([]), "r@sha256:2", "4.1"));
    let (one, two) = (one.to_str().unwrap(), two.to_str().unwrap());
    let run = graph(scratch.path(), &["--releases", one, "--releases", two, "--arch", "amd64"]);
    assert_eq!(run.status, 0, "{}", run.err);
    for words in [
        "skipped a release, because `4.1` is not a version",
        "4.1.0+amd64 has two images, sha256:1 and sha256:2: the service rejects such a graph",
        "the given graphs disagree on 1 update, for example 4.1.0+amd64 → 4.1.1+amd64",
        "updates form a cycle through 4.1.",
    ] {
        assert!(run.err.contains(words), "{words}:\n{}", run.err);
    }
}

type Pairs = BTreeMap<(String, String), Vec<String>>;

/// The updates of an answer with the names of their risks, and the uncertain ones.
fn updates(answer: &Value) -> (Pairs, BTreeSet<(String, String)>) {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let nodes = answer["nodes"].as_array().unwrap();
    let (mut pairs, mut uncertain) = (Pairs::new(), BTreeSet::new());
    for edge in answer["edges"].as_array().unwrap() {
        let end =
            |i: usize| text(&nodes[usize::try_from(edge[i].as_u64().unwrap()).unwrap()]["version"]);
        pairs.insert((end(0), end(1)), Vec::new());
    }
    for group in answer["conditionalEdges"].as_array().unwrap() {
        let mut names: Vec<String> =
            group["risks"].as_array().unwrap().iter().map(|risk| text(&risk["name"])).collect();
        names.sort();
        for edge in group["edges"].as_array().unwrap() {
            pairs.insert((text(&edge["from"]), text(&edge["to"])), names.clone());
        }
    }
    for node in nodes {
        let list = node["metadata"]["exitpath.previous.uncertain"].as_str().unwrap_or_default();
        let origins = list.split(',').filter(|origin| !origin.is_empty());
        uncertain.extend(origins.map(|origin| (origin.to_owned(), text(&node["version"]))));
    }
    (pairs, uncertain)
}

/// The answers of production that are available, by channel.
fn answers_of_production() -> Vec<(String, std::path::PathBuf, Value)> {
    let folder = real_data::data("served");
    let files = folder.map(|folder| crate::files_below(&folder)).unwrap_or_default();
    let read = |file: std::path::PathBuf| {
        let answer = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        (file.file_stem().unwrap().to_str().unwrap().to_owned(), file, answer)
    };
    files.into_iter().map(read).collect()
}

/// How well a prediction agrees with production: the pairs of both, and the uncertain ones.
#[derive(Default)]
struct Agreement {
    ours: BTreeSet<(String, String)>,
    theirs: BTreeSet<(String, String)>,
    uncertain: BTreeSet<(String, String)>,
}

#[expect(clippy::cast_precision_loss, reason = "some thousands of updates")]
impl Agreement {
    fn of(repository: &Path, revision: Option<&str>, channel: &str, answer: &Value) -> Self {
        let revision = revision.iter().flat_map(|revision| ["--rev", revision]);
        let arguments: Vec<&str> = ["--channel", channel].into_iter().chain(revision).collect();
        let run = graph(repository, &arguments);
        let (ours, uncertain) =
            updates(&serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err)));
        let (theirs, _) = updates(answer);
        for (pair, names) in ours.iter().filter(|(pair, _)| theirs.contains_key(*pair)) {
            assert_eq!(names, &theirs[pair], "{channel}: the risks of {pair:?}");
        }
        let pairs = |updates: Pairs| updates.into_keys().collect();
        Self { ours: pairs(ours), theirs: pairs(theirs), uncertain }
    }

    fn add(&mut self, other: Self) {
        self.ours.extend(other.ours);
        self.theirs.extend(other.theirs);
        self.uncertain.extend(other.uncertain);
    }

    /// The part between general releases.
    fn of_general(mut self) -> Self {
        for pairs in [&mut self.ours, &mut self.theirs, &mut self.uncertain] {
            pairs.retain(|(from, to)| !from.contains('-') && !to.contains('-'));
        }
        self
    }

    fn all(&self) -> usize {
        self.ours.union(&self.theirs).count()
    }

    /// The wrong pairs that are not uncertain.
    fn wrong(&self) -> usize {
        let differing = self.ours.symmetric_difference(&self.theirs);
        differing.filter(|pair| !self.uncertain.contains(*pair)).count()
    }

    fn precision(&self) -> f64 {
        self.ours.intersection(&self.theirs).count() as f64 / self.ours.len() as f64
    }

    fn recall(&self) -> f64 {
        self.ours.intersection(&self.theirs).count() as f64 / self.theirs.len() as f64
    }

    fn print(&self, what: &str) {
        eprintln!(
            "{what}: precision {:.5}, recall {:.5}, {} wrong and {} undecided of {}",
            self.precision(),
            self.recall(),
            self.wrong(),
            self.uncertain.len(),
            self.all()
        );
    }
}

#[test]
fn the_prediction_agrees_with_production() {
    let Some(real) = real_data::history() else { return };
    let mut general = Agreement::default();
    for (channel, _, answer) in answers_of_production() {
        let of_channel = Agreement::of(real, Some("HEAD"), &channel, &answer);
        of_channel.print(&channel);
        let least = if channel.starts_with("candidate") { 0.998 } else { 0.999 };
        assert!(of_channel.precision() >= least && of_channel.recall() >= least, "{channel}");
        general.add(of_channel.of_general());
    }
    general.print("all general releases");
    assert!(general.precision() >= 0.9998 && general.recall() >= 0.9997);
    assert!(general.wrong() * 5000 <= general.all(), "at most one in 5,000 is decided wrongly");
    assert!(general.uncertain.len() * 1000 <= general.all(), "at most one in 1,000 is undecided");
}

#[test]
fn without_history_the_prediction_is_a_little_worse() {
    let Some(real) = real_data::history() else { return };
    let scratch = Scratch::new("archive");
    let tree = crate::shared::scratch::git_command()
        .arg("-C")
        .arg(real)
        .args(["archive", "HEAD"])
        .output()
        .unwrap();
    let archive = scratch.write("archive.tar", tree.stdout);
    assert!(
        Command::new("tar")
            .arg("xf")
            .arg(&archive)
            .arg("-C")
            .arg(scratch.path())
            .status()
            .unwrap()
            .success()
    );
    for (channel, _, answer) in answers_of_production() {
        let without = Agreement::of(scratch.path(), None, &channel, &answer);
        without.print(&channel);
        assert!(without.precision() >= 0.995 && without.recall() >= 0.95, "{channel}");
    }
}

#[test]
fn an_answer_of_production_reproduces_itself() {
    let Some(real) = real_data::history() else { return };
    for (channel, file, answer) in answers_of_production() {
        let run = graph(
            real,
            &["--rev", "HEAD", "--channel", &channel, "--releases", file.to_str().unwrap()],
        );
        let ours: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        assert!(updates(&ours) == updates(&answer), "{channel}");
    }
}
