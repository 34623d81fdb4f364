//! Stops a program and its children at the entry of each system call and does there what a mode decides.

use std::collections::{HashMap, HashSet};
use std::os::unix::process::CommandExt;
use std::process::Command;

use nix::errno::Errno;
use nix::libc;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::calls::{Call, Kind};
use super::process::{End, Ended, Program, watch};
use crate::Result;

/// The suite's own first argument when it starts a program for tracing.
pub(crate) const LAUNCH: &str = "--traced";

/// The exit status of a launcher that may not be traced.
pub(crate) const UNTRACEABLE: i32 = 126;

/// What happens at a system call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// It runs.
    Go,
    /// Everything is killed before it runs.
    Kill,
    /// A write writes half; any other call runs.
    Halve,
    /// A write writes half, then everything is killed; any other call does not run.
    HalveAndKill,
    /// It fails and has done nothing.
    Fail(Errno),
    /// It runs, and the process gets this signal.
    Send(Signal),
}

/// What is to be done when a call returns.
#[derive(Debug, Clone, Copy)]
enum AtReturn {
    Answer(Errno),
    /// The third argument is what it was: the kernel keeps that register, and programs rely on it.
    Length(u64),
    Kill,
}

/// Becomes the program of the arguments, traced by the parent. Returns why it did not, with the exit status that says so.
pub(crate) fn launch(words: &[String]) -> (std::io::Error, i32) {
    let Some((program, arguments)) = words.split_first() else {
        return (std::io::Error::other("no program"), 127);
    };
    match ptrace::traceme() {
        Ok(()) => (Command::new(program).args(arguments).exec(), 127),
        Err(errno) => (errno.into(), UNTRACEABLE),
    }
}

/// Runs a program and asks `decide` at each system call, which is told the call's number from 1, over all its processes.
pub(crate) fn trace(
    program: &Program,
    launcher: &str,
    decide: &mut dyn FnMut(usize, &Call) -> Act,
) -> Result<Ended> {
    let mut child = program.command(&[launcher, LAUNCH])?.spawn()?;
    let first = Pid::from_raw(i32::try_from(child.id())?);
    let watched = watch(first);
    match waitpid(first, Some(WaitPidFlag::__WALL))? {
        WaitStatus::Stopped(_, Signal::SIGTRAP) => {}
        WaitStatus::Exited(_, UNTRACEABLE) => {
            return Err("skipped: this machine lets no program be traced".into());
        }
        other => {
            let _ = child.wait();
            return Err(format!("{}: cannot be traced: {other:?}", program.shell()).into());
        }
    }
    ptrace::setoptions(
        first,
        Options::PTRACE_O_TRACESYSGOOD
            | Options::PTRACE_O_EXITKILL
            | Options::PTRACE_O_TRACEFORK
            | Options::PTRACE_O_TRACEVFORK
            | Options::PTRACE_O_TRACECLONE
            | Options::PTRACE_O_TRACEEXEC,
    )?;
    let mut session = Session {
        program,
        processes: HashSet::from([first]),
        at_return: HashMap::new(),
        killed: false,
        count: 0,
    };
    ptrace::syscall(first, None)?;
    let end = session.follow(first, decide);
    drop(watched);
    Ok(program.ended(end))
}

struct Session<'a> {
    program: &'a Program,
    processes: HashSet<Pid>,
    at_return: HashMap<Pid, AtReturn>,
    killed: bool,
    count: usize,
}

impl Session<'_> {
    fn follow(&mut self, first: Pid, decide: &mut dyn FnMut(usize, &Call) -> Act) -> End {
        let mut end = End::Signal(0);
        while !self.processes.is_empty() {
            // Only this thread's own: each worker traces by itself.
            let flags = WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD;
            let status = match waitpid(None, Some(flags)) {
                Ok(status) => status,
                Err(Errno::EINTR | Errno::EINVAL) => continue,
                Err(_) => break,
            };
            match status {
                WaitStatus::Exited(pid, code) => {
                    self.processes.remove(&pid);
                    if pid == first {
                        end = End::Exit(code);
                    }
                }
                WaitStatus::Signaled(pid, signal, _) => {
                    self.processes.remove(&pid);
                    if pid == first {
                        end = End::Signal(signal as i32);
                    }
                }
                WaitStatus::PtraceSyscall(pid) => self.system_call(pid, decide),
                WaitStatus::PtraceEvent(pid, _, _) => self.go(pid, None),
                WaitStatus::Stopped(pid, signal) => {
                    // A new child begins with a stop of its own.
                    let new = self.processes.insert(pid);
                    let own = new || matches!(signal, Signal::SIGSTOP | Signal::SIGTRAP);
                    self.go(pid, (!own).then_some(signal));
                }
                _ => {}
            }
        }
        end
    }

    fn system_call(&mut self, pid: Pid, decide: &mut dyn FnMut(usize, &Call) -> Act) {
        self.processes.insert(pid);
        let Ok(info) = ptrace::syscall_info(pid) else {
            return; // killed meanwhile
        };
        if info.op == libc::PTRACE_SYSCALL_INFO_ENTRY && !self.killed {
            self.entry(pid, decide);
        } else if info.op == libc::PTRACE_SYSCALL_INFO_EXIT {
            match self.at_return.remove(&pid) {
                Some(AtReturn::Answer(errno)) => {
                    if let Ok(mut registers) = ptrace::getregs(pid) {
                        registers.rax = -i64::from(errno as i32) as u64;
                        let _ = ptrace::setregs(pid, registers);
                    }
                }
                Some(AtReturn::Length(length)) => {
                    if let Ok(mut registers) = ptrace::getregs(pid) {
                        registers.rdx = length;
                        let _ = ptrace::setregs(pid, registers);
                    }
                }
                Some(AtReturn::Kill) => self.kill(),
                None => {}
            }
        }
        self.go(pid, None);
    }

    fn entry(&mut self, pid: Pid, decide: &mut dyn FnMut(usize, &Call) -> Act) {
        let Ok(mut registers) = ptrace::getregs(pid) else {
            return;
        };
        let arguments = [
            registers.rdi,
            registers.rsi,
            registers.rdx,
            registers.r10,
            registers.r8,
            registers.r9,
        ];
        let call = Call::read(pid, registers.orig_rax as i64, arguments, &self.program.log);
        self.count += 1;
        let act = decide(self.count, &call);
        let long = matches!(call.kind, Kind::Write(len) if len > 1);
        match act {
            Act::Go => {}
            Act::Halve | Act::HalveAndKill if long => {
                let then = if act == Act::HalveAndKill {
                    AtReturn::Kill
                } else {
                    AtReturn::Length(registers.rdx)
                };
                registers.rdx /= 2;
                let _ = ptrace::setregs(pid, registers);
                self.at_return.insert(pid, then);
            }
            Act::Halve => {}
            Act::Kill | Act::HalveAndKill => {
                registers.orig_rax = u64::MAX; // not executed, whatever happens
                let _ = ptrace::setregs(pid, registers);
                self.kill();
            }
            Act::Fail(errno) => {
                registers.orig_rax = u64::MAX;
                let _ = ptrace::setregs(pid, registers);
                self.at_return.insert(pid, AtReturn::Answer(errno));
            }
            Act::Send(signal) => {
                let _ = kill(pid, signal);
            }
        }
    }

    fn kill(&mut self) {
        self.killed = true;
        for pid in &self.processes {
            let _ = kill(*pid, Signal::SIGKILL);
        }
    }

    fn go(&self, pid: Pid, signal: Option<Signal>) {
        if self.killed {
            let _ = kill(pid, Signal::SIGKILL);
        }
        let _ = ptrace::syscall(pid, signal);
    }
}
