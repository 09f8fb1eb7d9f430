//! A case with its broker, and the crew that executes all of them side by side.

use crate::event::Event;
use crate::platform::broker::{Call, Script, Server};
use crate::platform::case::{Case, How};
use crate::platform::driver::{Broker, Wish};
use crate::platform::watch;
use crate::platform::world::{Scene, World};
use crate::report::CaseResult;
use crate::verdict::{Check, Stop, Verdict};
use crate::{Leftover, Level, Listener};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Executes the cases.
pub(super) struct Crew {
    scene: Arc<Scene>,
    server: Server,
    url: String,
    listener: Listener,
    wanted: Vec<&'static Case>,
    results: HashMap<&'static str, CaseResult>,
    running: JoinSet<()>,
    cleaning: JoinSet<Option<Leftover>>,
    /// Brokers that were or are being taken away.
    cleaned: HashSet<String>,
}

impl Crew {
    pub(super) fn new(
        scene: Arc<Scene>,
        server: Server,
        url: String,
        listener: Listener,
        wanted: Vec<&'static Case>,
    ) -> Self {
        Self {
            scene,
            server,
            url,
            listener,
            wanted,
            results: HashMap::new(),
            running: JoinSet::new(),
            cleaning: JoinSet::new(),
            cleaned: HashSet::new(),
        }
    }

    /// Runs everything; false when it was cancelled.
    pub(super) async fn work(&mut self, cancel: &CancellationToken) -> bool {
        let permits = Arc::new(Semaphore::new(self.scene.options.parallel.max(1)));
        let (sender, mut done) = mpsc::unbounded_channel();
        let run = Uuid::new_v4().to_string();
        let mut wanted = self.wanted.clone();
        wanted.retain(|case| !case.watches());
        // Cases that wait for a platform to give up take longest, so they begin first.
        wanted.sort_by_key(|case| !case.id.ends_with("timeout"));
        for (index, case) in wanted.into_iter().enumerate() {
            let name = format!("qm-verify-{}-{}", &run[..8], index + 1);
            let script = Arc::new(Script::new(name, (case.plans.0)()));
            self.server.add(Arc::clone(&script));
            let (scene, listener) = (Arc::clone(&self.scene), Arc::clone(&self.listener));
            let (permits, sender) = (Arc::clone(&permits), sender.clone());
            let url = self.url.clone();
            self.running.spawn(async move {
                // The semaphore is never closed, so waiting for a permit cannot fail.
                let _permit = permits.acquire().await;
                listener(Event::Started {
                    id: case.id,
                    plan: None,
                });
                let result = execute(&scene, &script, &url, case).await;
                listener(Event::Finished {
                    id: case.id,
                    plan: None,
                    verdict: result.verdict.clone(),
                });
                // Nobody listens any more after an interruption.
                let _ = sender.send((result, script));
            });
        }
        drop(sender);
        loop {
            tokio::select! {
                finished = done.recv() => match finished {
                    Some((result, script)) => {
                        self.results.insert(result.id, result);
                        self.take_away(script);
                    }
                    None => return true,
                },
                () = cancel.cancelled() => {
                    self.running.shutdown().await;
                    return false;
                }
            }
        }
    }

    /// Lets the platform forget a broker, beside everything else.
    fn take_away(&mut self, script: Arc<Script>) {
        let announced = script.announced.load(Ordering::Relaxed);
        if announced && self.cleaned.insert(script.name.clone()) {
            let scene = Arc::clone(&self.scene);
            self.cleaning
                .spawn(async move { unregister(&scene, &script).await });
        }
    }

    /// Lets the platform forget every broker that it was told of, and waits for all of it.
    pub(super) async fn clean(&mut self) -> Vec<Leftover> {
        for script in self.server.scripts() {
            self.take_away(script);
        }
        (self.listener)(Event::Cleaning {
            left: self.cleaning.len(),
        });
        let mut leftovers = Vec::new();
        while let Some(told) = self.cleaning.join_next().await {
            leftovers.extend(told.ok().flatten());
        }
        leftovers
    }

    /// Every call of the run while cases ran, in the order of arrival.
    pub(super) fn calls(&self) -> Vec<Arc<Call>> {
        let scripts = self.server.scripts();
        let mut calls: Vec<_> = scripts.iter().flat_map(|script| script.calls()).collect();
        calls.sort_by_key(|call| call.at);
        calls
    }

    /// The results in the order of the list.
    pub(super) fn results(mut self, calls: &[Arc<Call>], interrupted: bool) -> Vec<CaseResult> {
        let reason = if interrupted {
            "the run was interrupted"
        } else {
            "the suite itself broke off in this case; please report it"
        };
        let mut results = Vec::new();
        for case in &self.wanted {
            let result = match self.results.remove(case.id) {
                Some(result) => result,
                None if case.watches() => {
                    let (check, note) = watch::verdict(case, calls);
                    let mut result = judged(case, &check, Vec::new());
                    result.notes.extend(note);
                    result
                }
                None => judged(case, &Err(Stop::skip(reason)), Vec::new()),
            };
            results.push(result);
        }
        results
    }
}

async fn execute(
    scene: &Arc<Scene>,
    script: &Arc<Script>,
    url: &str,
    case: &'static Case,
) -> CaseResult {
    let started = Instant::now();
    let mut world = World::new(Arc::clone(scene), Arc::clone(script));
    let check = play(&mut world, url, case).await;
    script.calm();
    let warnings = std::mem::take(&mut world.warnings);
    let mut result = judged(case, &check, warnings);
    result.notes = world.notes;
    result.millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    if scene.options.keep_evidence {
        let calls = script.calls();
        result.evidence = calls
            .iter()
            .map(|call| Arc::clone(&call.exchange))
            .collect();
    }
    result
}

async fn play(world: &mut World, url: &str, case: &Case) -> Check {
    let How::Own(code) = case.how else {
        return Err(Stop::skip("it has no code of its own"));
    };
    let broker = Broker {
        name: world.script.name.clone(),
        url: format!("{url}/{}", world.script.name),
        username: world.script.username.clone(),
        password: world.script.password.clone(),
    };
    world.script.announced.store(true, Ordering::Relaxed);
    let told = world.wish(Wish::Register(broker)).await?;
    if !told.is_done() {
        let line = told.line();
        // Cases about catalogs are about just this.
        return Err(if case.area() == "catalog" {
            let fetched = world.script.calls();
            let called = fetched.last();
            let expected = "the platform takes the broker and its catalog";
            match called {
                Some(call) => call.fail(expected, line),
                None => Stop::failed(
                    expected,
                    format!("{line}; no call arrived at {url}, is it right for the platform?"),
                ),
            }
        } else {
            Stop::skip(format!("the platform did not take the broker: {line}"))
        });
    }
    code(world).await
}

async fn unregister(scene: &Scene, script: &Script) -> Option<Leftover> {
    script.calm();
    let wish = Wish::Unregister {
        broker: script.name.clone(),
    };
    // Work that the case began may have to end first.
    let longest = (scene.options.patience + scene.options.request_timeout) * 2;
    let told = tokio::time::timeout(longest, scene.driver.fulfil(wish)).await;
    let reason = match told {
        Ok(told) if told.is_done() => return None,
        Ok(told) => told.line(),
        Err(_) => format!("the platform did not end within {} s", longest.as_secs()),
    };
    Some(Leftover {
        instance_id: format!("(of the broker {})", script.name),
        binding_id: None,
        reason,
    })
}

fn judged(case: &'static Case, check: &Check, warnings: Vec<crate::Finding>) -> CaseResult {
    let mut verdict = Verdict::of(case.level, check);
    let mut findings = match check {
        Err(Stop::Failed(findings)) => findings.clone(),
        _ => Vec::new(),
    };
    if !warnings.is_empty() && verdict == Verdict::Passed {
        verdict = Verdict::of(Level::Should, &Err(Stop::Failed(Vec::new())));
    }
    findings.extend(warnings);
    CaseResult {
        id: case.id,
        area: case.area(),
        level: case.level,
        rules: case.rules,
        section: case.section,
        title: case.title,
        plan: None,
        verdict,
        fix: (!findings.is_empty()).then_some(case.fix),
        findings,
        notes: Vec::new(),
        evidence: Vec::new(),
        millis: 0,
    }
}
