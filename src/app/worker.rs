//! Work beside the window: one job at a time, stopped when what it is about has changed.
//!
//! An answer carries the question that it belongs to, so that an old one is never taken for a new one. What is computed
//! is not known here.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How far a job is, and whether it is still wanted. The job asks and tells; the window looks.
#[derive(Clone, Default)]
pub struct Progress(Arc<Counters>);

#[derive(Default)]
struct Counters {
    done: AtomicUsize,
    all: AtomicUsize,
    unwanted: AtomicBool,
    enough: AtomicBool,
}

impl Progress {
    /// Whether the answer is still wanted; a job that is not returns soon.
    pub fn wanted(&self) -> bool {
        !self.0.unwanted.load(Ordering::Relaxed)
    }

    /// Whether what has been done so far is all that is wanted. A job that can answer with a part of its work does so soon.
    pub fn is_enough(&self) -> bool {
        self.0.enough.load(Ordering::Relaxed)
    }

    pub fn tell(&self, done: usize, all: usize) {
        self.0.done.store(done, Ordering::Relaxed);
        self.0.all.store(all, Ordering::Relaxed);
    }

    pub fn seen(&self) -> (usize, usize) {
        (self.0.done.load(Ordering::Relaxed), self.0.all.load(Ordering::Relaxed))
    }
}

/// Answers to questions of one kind.
pub struct Worker<Question, Answer> {
    running: Option<Running<Question, Answer>>,
    /// The last answer, to whatever it was asked, and how long it took.
    last: Option<Answered<Question, Answer>>,
    /// A question that was stopped by hand is not started again by itself.
    stopped: Option<Question>,
}

struct Running<Question, Answer> {
    question: Question,
    progress: Progress,
    answer: Receiver<Answer>,
    thread: Option<JoinHandle<()>>,
    begun: Instant,
}

/// An answer with its question.
pub struct Answered<Question, Answer> {
    pub question: Question,
    pub answer: Answer,
    pub took: Duration,
}

impl<Question: PartialEq + Clone, Answer: Send + 'static> Worker<Question, Answer> {
    pub fn idle() -> Self {
        Self { running: None, last: None, stopped: None }
    }

    /// Sees to it that this question is answered: by the last answer, by the job that runs, or by a new one. `work` gives
    /// nothing where it found itself unwanted; `wake` is called when there is something to see.
    pub fn ask(
        &mut self,
        question: &Question,
        work: impl FnOnce(&Progress) -> Option<Answer> + Send + 'static,
        wake: impl Fn() + Send + 'static,
    ) {
        if !self.would_begin(question) {
            return;
        }
        self.cancel();
        self.stopped = None;
        let progress = Progress::default();
        let (sender, answer) = channel();
        let told = progress.clone();
        let thread = std::thread::spawn(move || {
            if let Some(answer) = work(&told) {
                // A window that has gone on to another question no longer listens.
                let _ = sender.send(answer);
            }
            wake();
        });
        let begun = Instant::now();
        self.running = Some(Running { question: question.clone(), progress, answer, thread: Some(thread), begun });
    }

    /// Whether asking this begins a new job: it is neither answered, nor under way, nor stopped by hand.
    pub fn would_begin(&self, question: &Question) -> bool {
        let known = self.last.as_ref().is_some_and(|last| last.question == *question);
        let running = self.running.as_ref().is_some_and(|running| running.question == *question);
        !(known || running || self.stopped.as_ref() == Some(question))
    }

    /// Takes the answer of a finished job. One that ended without an answer is not begun again by itself.
    pub fn receive(&mut self) {
        let Some(running) = &self.running else { return };
        match running.answer.try_recv() {
            Ok(answer) => {
                let took = running.begun.elapsed();
                self.last = Some(Answered { question: running.question.clone(), answer, took });
                self.running = None;
            }
            Err(TryRecvError::Disconnected) => self.stop(),
            Err(TryRecvError::Empty) => {}
        }
    }

    /// Stops the job, and does not start it again until something else was asked.
    pub fn stop(&mut self) {
        self.stopped = self.running.as_ref().map(|running| running.question.clone());
        self.cancel();
    }

    /// Has the job answer with what it has done so far.
    pub fn settle(&self) {
        if let Some(running) = &self.running {
            running.progress.0.enough.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the job has been asked to answer with what it has.
    pub fn is_settling(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.progress.is_enough())
    }

    /// Forgets the last answer, so that its question can be asked again.
    pub fn forget(&mut self) {
        self.last = None;
    }

    /// Asks again what was stopped.
    pub fn resume(&mut self) {
        self.stopped = None;
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// The last answer: to this question or, then shown as old, to an earlier one.
    pub fn last(&self) -> Option<&Answered<Question, Answer>> {
        self.last.as_ref()
    }

    /// How long the running job has been at work.
    pub fn elapsed(&self) -> Option<Duration> {
        self.running.as_ref().map(|running| running.begun.elapsed())
    }

    /// How far the running job is.
    pub fn progress(&self) -> Option<(usize, usize)> {
        self.running.as_ref().map(|running| running.progress.seen())
    }

    fn cancel(&mut self) {
        if let Some(running) = self.running.take() {
            running.progress.0.unwanted.store(true, Ordering::Relaxed);
        }
    }
}

impl<Question, Answer> Drop for Running<Question, Answer> {
    /// Nobody waits for an unwanted job while the window lives; it ends by itself at its next evaluation.
    fn drop(&mut self) {
        self.progress.0.unwanted.store(true, Ordering::Relaxed);
        drop(self.thread.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;

    /// A job that ends when it is told to, and says whether it was still wanted.
    #[test]
    fn a_job_about_something_else_is_unwanted_and_its_answer_never_seen() {
        let (go, wait) = sync_channel::<()>(0);
        let (tell, told) = channel();
        let mut worker: Worker<u32, &str> = Worker::idle();
        let job = move |progress: &Progress| {
            wait.recv().ok();
            tell.send(progress.wanted()).ok();
            Some("old")
        };
        worker.ask(&1, job, || ());
        let (woken, wake) = channel();
        worker.ask(
            &2,
            |_| Some("new"),
            move || {
                let _ = woken.send(());
            },
        );
        go.send(()).expect("the first job waits");
        assert_eq!(told.recv(), Ok(false));
        wake.recv().expect("the second job wakes the window");
        worker.receive();
        let last = worker.last().expect("the second job has answered");
        assert_eq!((last.question, last.answer), (2, "new"));
    }

    #[test]
    fn a_stopped_question_is_not_asked_again_by_itself() {
        let (go, wait) = sync_channel::<()>(0);
        let mut worker: Worker<u32, u32> = Worker::idle();
        worker.ask(&1, move |_| wait.recv().ok().map(|()| 0), || ());
        worker.stop();
        worker.ask(&1, |_| Some(1), || ());
        assert!(worker.progress().is_none() && worker.is_stopped());
        worker.resume();
        worker.ask(&1, |_| Some(1), || ());
        assert!(worker.progress().is_some());
        drop(go);
    }
}
