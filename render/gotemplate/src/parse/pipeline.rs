//! Pipelines: the variables they set, and their commands.

use super::token::Kind;
use super::{Parsed, Parser};
use crate::tree::{Command, Pipe, TermKind};

impl Parser<'_> {
    /// A pipeline up to `end`; `context` is what errors call it.
    pub(super) fn pipeline(&mut self, context: &str, end: Kind) -> Parsed<Pipe> {
        let mut pipe = Pipe {
            pos: self.peek_word().start,
            targets: Vec::new(),
            assigns: false,
            commands: Vec::new(),
        };
        self.targets(&mut pipe, context)?;
        loop {
            let token = self.next_word();
            match token.kind {
                kind if kind == end => break,
                Kind::Bool
                | Kind::CharConstant
                | Kind::Complex
                | Kind::Dot
                | Kind::Field
                | Kind::Identifier
                | Kind::Number
                | Kind::Nil
                | Kind::RawString
                | Kind::String
                | Kind::Variable
                | Kind::LeftParen => {
                    self.put_back();
                    let command = self.command()?;
                    pipe.commands.push(command);
                }
                _ => return Err(self.unexpected(token, context)),
            }
        }
        self.check(&pipe, context)?;
        Ok(pipe)
    }

    /// `$x :=`, `$x =`, and in a range `$i, $x :=`.
    fn targets(&mut self, pipe: &mut Pipe, context: &str) -> Parsed<()> {
        loop {
            let variable = self.peek_word();
            if variable.kind != Kind::Variable {
                return Ok(());
            }
            self.next();
            // In "$x word" the word has to be read to know that $x is no target; then the space
            // between them has to be put back too.
            let adjacent = self.peek();
            let token = self.peek_word();
            match token.kind {
                Kind::Assign | Kind::Declare => {
                    pipe.assigns = token.kind == Kind::Assign;
                    self.next_word();
                    let number = self.variable_number(self.text(variable).into());
                    pipe.targets.push(number);
                    self.tree.known.push(number);
                    return Ok(());
                }
                Kind::Char if self.text(token) == "," => {
                    self.next_word();
                    let number = self.variable_number(self.text(variable).into());
                    pipe.targets.push(number);
                    self.tree.known.push(number);
                    if context != "range" || pipe.targets.len() >= 2 {
                        return Err(self.error(format_args!("too many declarations in {context}")));
                    }
                    let following = self.peek_word().kind;
                    if !matches!(
                        following,
                        Kind::Variable | Kind::RightDelim | Kind::RightParen
                    ) {
                        return Err(self.error("range can only initialize variables"));
                    }
                }
                _ if adjacent.kind == Kind::Space => {
                    self.put_back_three(variable, adjacent);
                    return Ok(());
                }
                _ => {
                    self.put_back_two(variable);
                    return Ok(());
                }
            }
        }
    }

    /// The number of a variable's name in this text.
    pub(super) fn variable_number(&mut self, name: Box<str>) -> u32 {
        let found = self.variables.iter().position(|known| *known == name);
        let number = found.unwrap_or_else(|| {
            self.variables.push(name);
            self.variables.len() - 1
        });
        u32::try_from(number).unwrap_or(u32::MAX)
    }

    fn check(&self, pipe: &Pipe, context: &str) -> Parsed<()> {
        if pipe.commands.is_empty() {
            return Err(self.error(format_args!("missing value for {context}")));
        }
        for (index, command) in pipe.commands.iter().enumerate().skip(1) {
            // A constant takes no argument, and here it would be given one.
            if matches!(
                command.words.first().map(|word| &word.kind),
                Some(
                    TermKind::Bool(_)
                        | TermKind::Dot
                        | TermKind::Nil
                        | TermKind::Number(_)
                        | TermKind::String(_)
                )
            ) {
                let stage = index + 1;
                return Err(self.error(format_args!(
                    "non executable command in pipeline stage {stage}"
                )));
            }
        }
        Ok(())
    }

    fn command(&mut self) -> Parsed<Command> {
        let mut command = Command {
            pos: self.peek_word().start,
            words: Vec::new(),
        };
        loop {
            self.peek_word();
            if let Some(word) = self.operand()? {
                command.words.push(word);
            }
            let token = self.next();
            match token.kind {
                Kind::Space => {}
                Kind::RightDelim | Kind::RightParen => {
                    self.put_back();
                    break;
                }
                Kind::Pipe => break,
                _ => return Err(self.unexpected(token, "operand")),
            }
        }
        if command.words.is_empty() {
            return Err(self.error("empty command"));
        }
        Ok(command)
    }
}
