//! Declarations of modules of kernels: a uniform and buffers, declared once for host, WGSL and twins.

use std::marker::PhantomData;

use bytemuck::Pod;

use super::{constants, shaders};

/// Optional features that kernels may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Abilities {
    /// Subgroups of exactly 32 threads.
    pub subgroups: bool,
    /// `f64` that has passed the self-test.
    pub doubles: bool,
    /// The same, if it is not much slower than `f32`.
    pub quick_doubles: bool,
    /// Modules with fewer buffers have their params in a storage buffer, and not in a uniform.
    pub params_in_storage_below: usize,
}

/// A file of kernels that share their bindings. Binding 0 is the uniform, and the last buffer is the status block.
#[derive(Debug)]
pub(crate) struct Module {
    pub name: &'static str,
    /// The name of its WGSL file, and its text.
    pub shader: &'static str,
    pub text: &'static str,
    /// Whether the filters in this module compute in `f64`, on devices with that ability.
    pub doubles: bool,
    /// Whether this module computes in `f64` where that is quick.
    pub quick_doubles: bool,
    /// Whether what is deterministic arithmetic in other modules is that of the device, since this one only proves.
    pub plain: bool,
    /// Bytes of the uniform.
    pub params_size: usize,
    pub params: &'static [ParamInfo],
    /// The buffers in the order of their bindings, which begin with 1.
    pub buffers: &'static [BufferInfo],
}

/// A member of a uniform.
#[derive(Debug)]
pub(crate) struct ParamInfo {
    pub name: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "compared with naga's layout"))]
    pub offset: usize,
    /// Its type in WGSL.
    pub wgsl: fn() -> String,
}

/// A binding that is a buffer.
#[derive(Debug)]
pub(crate) struct BufferInfo {
    pub name: &'static str,
    /// Whether kernels may write to it.
    pub writes: bool,
    /// The type of its elements in WGSL.
    pub element: &'static str,
}

impl BufferInfo {
    /// The status block.
    pub(crate) const STATUS: Self =
        Self { name: "status", writes: <Atomic<u32> as Binding>::WRITES, element: <Atomic<u32> as Binding>::ELEMENT };
}

impl Module {
    /// One without anything.
    pub(crate) const EMPTY: Self = Self {
        name: "",
        shader: "",
        text: "",
        doubles: false,
        quick_doubles: false,
        plain: false,
        params_size: 0,
        params: &[],
        buffers: &[],
    };

    /// Bytes of the uniform as a binding: WGSL rounds structs up to the alignment of their members, which is at most 16.
    pub(crate) fn uniform_size(&self) -> u64 {
        self.params_size.next_multiple_of(16) as u64
    }

    /// Whether the params are in a storage buffer.
    pub(crate) fn has_params_in_storage(&self, abilities: Abilities) -> bool {
        self.buffers.len() < abilities.params_in_storage_below
    }

    /// Whether the module computes in `f64` on a device with these abilities.
    pub(crate) fn has_doubles(&self, abilities: Abilities) -> bool {
        abilities.doubles && self.doubles || abilities.quick_doubles && self.quick_doubles
    }

    /// The WGSL source for a device with these abilities.
    pub(crate) fn source(&self, abilities: Abilities) -> String {
        let abilities = Abilities { doubles: self.has_doubles(abilities), ..abilities };
        let params = if self.has_params_in_storage(abilities) { "storage, read" } else { "uniform" };
        constants::wgsl() + &self.declarations(params) + &shaders::text(self.shader, abilities, self.plain)
    }

    /// The params, in this address space, and the buffers in WGSL.
    fn declarations(&self, space: &str) -> String {
        let mut text = "\nstruct Params {\n".to_owned();
        for ParamInfo { name, wgsl, .. } in self.params {
            text.extend(["    ", *name, ": ", &wgsl(), ",\n"]);
        }
        text.extend(["}\n\n@group(0) @binding(0) var<", space, "> params: Params;\n"]);
        for (k, BufferInfo { name, writes, element }) in self.buffers.iter().enumerate() {
            let (binding, access) = ((k + 1).to_string(), if *writes { "read_write" } else { "read" });
            text.extend([
                "@group(0) @binding(",
                &binding,
                ") var<storage, ",
                access,
                "> ",
                *name,
                ": array<",
                *element,
                ">;\n",
            ]);
        }
        text
    }
}

/// A declared module as a type, so that a stage accepts only the params and buffers of its own module.
pub(crate) trait KernelModule: 'static {
    /// The uniform of a dispatch.
    type Params: Pod;
    /// The buffers of a dispatch.
    type Buffers<'a>: BufferList<'a>;
    /// The contents of the buffers, as a serial twin gets them.
    type View<'a>;

    /// A view of the contents of all buffers, which are in the order of the bindings.
    fn view(words: &mut [Vec<u32>]) -> Self::View<'_>;
}

/// The buffers of a dispatch.
pub(crate) trait BufferList<'a> {
    /// The buffers in the order of their bindings.
    fn list(&self) -> Vec<&'a wgpu::Buffer>;
}

/// A buffer that kernels read.
pub(crate) struct Read<T>(PhantomData<T>);
/// A buffer that kernels read and write.
pub(crate) struct Write<T>(PhantomData<T>);
/// A buffer that kernels read and write by atomic operations only.
pub(crate) struct Atomic<T>(PhantomData<T>);

/// How kernels and their twins access a buffer.
pub(crate) trait Binding {
    type View<'a>;
    const WRITES: bool;
    const ELEMENT: &'static str;

    fn view(words: &mut [u32]) -> Self::View<'_>;
}

impl<T: Element> Binding for Read<T> {
    type View<'a> = &'a [T];
    const WRITES: bool = false;
    const ELEMENT: &'static str = T::WGSL;

    fn view(words: &mut [u32]) -> &[T] {
        bytemuck::cast_slice(words)
    }
}

impl<T: Element> Binding for Write<T> {
    type View<'a> = &'a mut [T];
    const WRITES: bool = true;
    const ELEMENT: &'static str = T::WGSL;

    fn view(words: &mut [u32]) -> &mut [T] {
        bytemuck::cast_slice_mut(words)
    }
}

impl Binding for Atomic<u32> {
    type View<'a> = &'a mut [u32];
    const WRITES: bool = true;
    const ELEMENT: &'static str = "atomic<u32>";

    fn view(words: &mut [u32]) -> &mut [u32] {
        words
    }
}

/// The element type of a buffer.
pub(crate) trait Element: Pod {
    const WGSL: &'static str;
}

impl Element for u32 {
    const WGSL: &'static str = "u32";
}

impl Element for [u32; 2] {
    const WGSL: &'static str = "vec2u";
}

impl Element for [u32; 4] {
    const WGSL: &'static str = "vec4u";
}

/// The type of a member of a uniform.
pub(crate) trait Param: Pod {
    fn wgsl() -> String;
}

impl Param for u32 {
    fn wgsl() -> String {
        "u32".to_owned()
    }
}

impl Param for f32 {
    fn wgsl() -> String {
        "f32".to_owned()
    }
}

impl Param for [f32; 3] {
    fn wgsl() -> String {
        "vec3f".to_owned()
    }
}

/// Array elements in a uniform have a stride of 16 bytes, so that words are packed into vectors of four.
impl<const N: usize> Param for [u32; N] {
    fn wgsl() -> String {
        const { assert!(N.is_multiple_of(4), "a whole number of vectors") };
        if N == 4 { "vec4u".to_owned() } else { format!("array<vec4u, {}>", N / 4) }
    }
}

/// Declares modules of kernels, each as a Rust module of the same name:
///
/// ```text
/// kernels! {
///     /// One pass of a radix sort.
///     sort in "phases/sort" {
///         params { /// The number of keys.
///                  keys: u32, }
///         buffers { /// The keys before this pass.
///                   keys_in: Read<u32>, }
///     }
/// }
/// ```
///
/// With `in "…" with doubles`, a module computes in `f64` on devices with that ability, with `quick_doubles` where it is quick; and with `plain` as the device
/// does, without deterministic arithmetic. With `as other;` after that it has its own file, but shares the params and buffers of another module. The status block is added as the last
/// buffer.
macro_rules! kernels {
    ($(
        $(#[$doc:meta])*
        $module:ident in $shader:literal $(with $numbers:ident)? {
            params { $($(#[$param_doc:meta])* $param:ident: $param_type:ty,)* }
            buffers { $($(#[$buffer_doc:meta])* $buffer:ident: $binding:ty,)* }
        }
    )*) => {$(
        $(#[$doc])*
        pub(crate) mod $module {
            #[allow(unused_imports, reason = "not every module has arrays and all kinds of buffers")]
            use super::*;
            use crate::gpu::abi::module::{Binding, BufferInfo, BufferList, KernelModule, Module, Param, ParamInfo};
            use crate::gpu::buffer::GrowBuffer;

            /// The uniform of a dispatch.
            #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
            #[repr(C)]
            pub(crate) struct Params {
                $($(#[$param_doc])* pub $param: $param_type,)*
            }

            /// The buffers of a dispatch.
            #[derive(Clone, Copy)]
            pub(crate) struct Buffers<'a> {
                $($(#[$buffer_doc])* pub $buffer: &'a GrowBuffer,)*
                /// The status block.
                pub status: &'a GrowBuffer,
            }

            impl<'a> BufferList<'a> for Buffers<'a> {
                fn list(&self) -> Vec<&'a wgpu::Buffer> {
                    vec![$(self.$buffer.buffer(),)* self.status.buffer()]
                }
            }

            /// The contents of the buffers of a dispatch, as its twin gets them.
            #[allow(dead_code, reason = "twins take what they need")]
            pub(crate) struct View<'a> {
                $($(#[$buffer_doc])* pub $buffer: <$binding as Binding>::View<'a>,)*
                /// The status block.
                pub status: &'a mut [u32],
            }

            pub(crate) static MODULE: Module = Module {
                name: stringify!($module),
                shader: $shader,
                text: include_str!(concat!("../../../shaders/", $shader, ".wgsl")),
                params_size: size_of::<Params>(),
                params: PARAMS,
                buffers: BUFFERS,
                $($numbers: true,)?
                ..Module::EMPTY
            };

            pub(in crate::gpu) const PARAMS: &[ParamInfo] = &[$(ParamInfo {
                name: stringify!($param),
                offset: std::mem::offset_of!(Params, $param),
                wgsl: <$param_type as Param>::wgsl,
            }),*];

            pub(in crate::gpu) const BUFFERS: &[BufferInfo] = &[
                $(BufferInfo {
                    name: stringify!($buffer),
                    writes: <$binding as Binding>::WRITES,
                    element: <$binding as Binding>::ELEMENT,
                },)*
                BufferInfo::STATUS,
            ];

            /// This module as a type.
            pub(crate) enum Kernels {}

            impl KernelModule for Kernels {
                type Params = Params;
                type Buffers<'a> = Buffers<'a>;
                type View<'a> = View<'a>;

                fn view(words: &mut [Vec<u32>]) -> View<'_> {
                    let count = words.len();
                    let [$($buffer,)* status] = words else {
                        panic!("{} has {} buffers, and not {count}", MODULE.name, BUFFERS.len())
                    };
                    View { $($buffer: <$binding as Binding>::view($buffer),)* status }
                }
            }
        }
    )*};
    ($(#[$doc:meta])* $module:ident in $shader:literal with $numbers:ident as $other:ident;) => {
        $(#[$doc])*
        pub(crate) mod $module {
            use crate::gpu::abi::module::{KernelModule, Module};

            pub(crate) use super::$other::{Buffers, Params, View};

            pub(crate) static MODULE: Module = Module {
                name: stringify!($module),
                shader: $shader,
                text: include_str!(concat!("../../../shaders/", $shader, ".wgsl")),
                $numbers: true,
                params_size: size_of::<Params>(),
                params: super::$other::PARAMS,
                buffers: super::$other::BUFFERS,
                ..Module::EMPTY
            };

            /// This module as a type.
            pub(crate) enum Kernels {}

            impl KernelModule for Kernels {
                type Params = Params;
                type Buffers<'a> = Buffers<'a>;
                type View<'a> = View<'a>;

                fn view(words: &mut [Vec<u32>]) -> View<'_> {
                    super::$other::Kernels::view(words)
                }
            }
        }
    };
}

pub(crate) use kernels;
