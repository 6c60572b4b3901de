//! Calls and returns.

use super::evaluate::Fault;
use super::machine::Machine;
use super::memory::{Area, Location};
use super::number;
use super::observe::Happened;
use super::step::Stop;
use super::world::{ExternalCall, MemoryAccess, Reply, Value};
use crate::{Argument, Callee, Check, Edge, Function, FunctionId, LocalId, Place, Scalar, Unknown};

impl<'m> Machine<'m> {
    pub(crate) fn call(
        &mut self,
        edge: &'m Edge,
        callee: &Callee,
        arguments: &[Argument],
        result: Option<&Place>,
    ) -> Result<(), Stop> {
        let id = match callee {
            Callee::Function(id) => *id,
            Callee::Pointer(pointer) => {
                let address = self.value(pointer)?;
                let id = self.state.layout.function_at(address).ok_or(Check::Call)?;
                self.check_fits(self.state.module.function(id), arguments, result)?;
                id
            }
        };
        let function = self.state.module.function(id);
        if !function.has_body() {
            return self.call_outside(edge, id, arguments, result);
        }
        let depth = self.state.depth() + 1;
        let mut frame = self.state.make_frame(id, depth)?;
        let parameters = function.parameters as usize;
        // Too few arguments are an error where they are counted: calls through pointers above.
        for (index, argument) in arguments.iter().take(parameters).enumerate() {
            let local = self.state.local(&frame, LocalId(index as u32));
            let to = Location {
                area: Area::Stack,
                offset: frame.bytes + local.offset,
            };
            self.state.pass(argument, to)?;
        }
        if function.is_variadic {
            let more = arguments.get(parameters..).unwrap_or_default();
            self.state.pass_more(more, &mut frame, depth)?;
        }
        self.state.top.edge = self.edge.unwrap_or_default() as u32;
        self.state.below.push(self.state.top);
        self.state.top = frame;
        self.happened = Happened::Called(id);
        Ok(())
    }

    /// Whether a function that a pointer points to takes these arguments.
    fn check_fits(
        &self,
        function: &Function,
        arguments: &[Argument],
        result: Option<&Place>,
    ) -> Result<(), Fault> {
        let state = &self.state;
        let parameters = &function.locals[..function.parameters as usize];
        let count_fits = match function.is_variadic {
            true => arguments.len() >= parameters.len(),
            // What has no body may have no known parameters.
            false => arguments.len() == parameters.len() || !function.has_body(),
        };
        let mut pairs = arguments.iter().zip(parameters);
        let arguments_fit = pairs.all(|(argument, local)| state.argument_fits(argument, local.ty));
        let result_fits = match (result, function.result_type) {
            (Some(place), Some(ty)) => state.layout.size(place.ty) == state.layout.size(ty),
            (Some(_), None) => false,
            (None, _) => true,
        };
        match count_fits && arguments_fit && result_fits {
            true => Ok(()),
            false => Err(Check::Call),
        }
    }

    /// Returns from the function at hand.
    pub(crate) fn go_back(&mut self) -> Result<(), Stop> {
        let callee = self.state.top;
        let function = self.state.function();
        let from = function.result.map(|local| {
            let place = self.state.local(&callee, local);
            let location = Location {
                area: Area::Stack,
                offset: callee.bytes + place.offset,
            };
            (location, place.size, local)
        });
        let Some(caller) = self.state.below.pop() else {
            let code = from.map(|(location, size, local)| {
                let ty = function.locals[local.0 as usize].ty;
                self.state.load_at(location, size.min(8), ty, None)
            });
            self.state.has_returned = true;
            return self.exit(code.unwrap_or_default() as i32);
        };
        self.state.top = caller;
        let edge = self.state.call_edge(&caller);
        if let crate::Operation::Call {
            result: Some(place),
            ..
        } = &edge.operation
        {
            let (to, count) = self.state.extent(&caller, place)?;
            self.state.memory.check_writable(to, count)?;
            match from {
                Some((from, size, local)) if place.bits.is_some() => {
                    let ty = function.locals[local.0 as usize].ty;
                    let value = self.state.load_at(from, size, ty, None);
                    self.state.store_at(to, count, place.bits, value);
                }
                Some((from, size, _)) => {
                    let count = count.min(size) as usize;
                    self.state.memory.copy(from, to, count);
                }
                None => {
                    let bytes = self.state.memory.bytes_mut(to.area);
                    bytes.set_known(to.offset, count as usize, false);
                }
            }
            self.changed(to, count, Some(place));
        }
        self.state.drop_slots(&callee);
        let memory = &mut self.state.memory;
        memory.pop_stack(callee.bytes, callee.objects as usize);
        self.state.top.node = edge.to;
        self.happened = Happened::Returned;
        Ok(())
    }

    /// Calls a function without a body.
    fn call_outside(
        &mut self,
        edge: &'m Edge,
        id: FunctionId,
        arguments: &[Argument],
        result: Option<&Place>,
    ) -> Result<(), Stop> {
        let function = self.state.module.function(id);
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.argument(argument)?);
        }
        let scalar = (function.result_type).and_then(|ty| self.state.module.types.scalar(ty));
        let call = ExternalCall {
            name: &function.name,
            arguments: &values,
            result: scalar,
        };
        let mut memory = MemoryAccess {
            state: &mut self.state,
        };
        let reply = self.world.call(&call, &mut memory)?;
        let bits = match (reply, scalar) {
            (Reply::Unknown, _) => None,
            (Reply::Integer(value), Some(Scalar::Int(int))) => {
                Some(number::cut(value, u32::from(int.bits)))
            }
            (Reply::Integer(value), Some(Scalar::Float(float))) => {
                Some(number::from_f64(value as i64 as f64, float))
            }
            (Reply::Integer(value), _) => Some(number::cut(value, self.state.layout.pointer_bits)),
            (Reply::Float(value), Some(Scalar::Float(float))) => {
                Some(number::from_f64(value, float))
            }
            (Reply::Float(value), Some(Scalar::Int(int))) => {
                Some(number::cut(value as i64 as u64, u32::from(int.bits)))
            }
            (Reply::Float(value), _) => Some(value.to_bits()),
            (Reply::Exits(code), _) => return self.exit(code),
            (Reply::Stops, _) => return Err(Stop::Aborted),
            (Reply::Unsupported(text), _) => return Err(Stop::unsupported(&text)),
        };
        if let Some(place) = result {
            match bits {
                Some(bits) => {
                    let frame = self.state.top;
                    let location = self.state.store(&frame, place, bits)?;
                    let count = self.state.layout.size(place.ty);
                    self.changed(location, count, Some(place));
                }
                None => self.havoc(place, &Unknown::External(function.name.clone()))?,
            }
        }
        self.state.top.node = edge.to;
        self.happened = Happened::CalledOutside(id);
        Ok(())
    }

    fn argument(&self, argument: &Argument) -> Result<Value, Fault> {
        Ok(match argument {
            Argument::Value(expr) => Value::Scalar(self.value(expr)?, expr.ty),
            Argument::Record(place) => {
                let count = self.state.layout.size(place.ty);
                let location = self.state.location(&self.state.top, place, count)?;
                let bytes = self.state.memory.bytes(location.area);
                Value::Bytes(bytes.data(location.offset, count as usize).to_vec())
            }
        })
    }
}
