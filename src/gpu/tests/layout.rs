//! The generated sources are valid, and naga finds in them the layouts that are declared in Rust.

use super::super::abi::{Abilities, Module};
use super::super::stages::ALL;
use crate::filter::{Arithmetic, bounds, constants, domain};

/// All combinations of optional features.
const ABILITIES: [Abilities; 5] = [
    Abilities { subgroups: false, doubles: false, quick_doubles: false, params_in_storage_below: 0 },
    Abilities { subgroups: true, doubles: false, quick_doubles: false, params_in_storage_below: 0 },
    Abilities { subgroups: false, doubles: true, quick_doubles: false, params_in_storage_below: 0 },
    Abilities { subgroups: true, doubles: true, quick_doubles: true, params_in_storage_below: 0 },
    Abilities { subgroups: false, doubles: true, quick_doubles: true, params_in_storage_below: 9 },
];

/// WebGPU's default limit of workgroup memory, in bytes.
const WORKGROUP_MEMORY: u32 = 16384;

fn parse(module: &Module, abilities: Abilities) -> naga::Module {
    let source = module.source(abilities);
    naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{}: {}", module.name, error.emit_to_string(&source)))
}

/// The modules of all stages.
fn modules() -> Vec<&'static Module> {
    let mut modules: Vec<&Module> = ALL.iter().map(|stage| stage.module).collect();
    modules.dedup_by_key(|module| module.name);
    modules
}

/// The value of a constant, as a number.
fn constant(module: &naga::Module, name: &str) -> Option<f64> {
    let (_, constant) = module.constants.iter().find(|(_, constant)| constant.name.as_deref() == Some(name))?;
    match module.global_expressions[constant.init] {
        naga::Expression::Literal(naga::Literal::F32(x)) => Some(f64::from(x)),
        naga::Expression::Literal(naga::Literal::F64(x)) => Some(x),
        naga::Expression::Literal(naga::Literal::U32(x)) => Some(f64::from(x)),
        naga::Expression::Literal(naga::Literal::I32(x)) => Some(f64::from(x)),
        ref other => panic!("{name} is {other:?}"),
    }
}

/// Every module is valid with exactly the features it is generated for, and needs no more workgroup memory than the default
/// limit.
#[test]
fn modules_are_valid_with_all_abilities() {
    for (module, abilities) in modules().into_iter().flat_map(|module| ABILITIES.map(|abilities| (module, abilities))) {
        use naga::valid::{Capabilities, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator};
        let parsed = parse(module, abilities);
        let mut capabilities = Capabilities::empty();
        capabilities.set(Capabilities::SUBGROUP | Capabilities::SUBGROUP_BARRIER, abilities.subgroups);
        capabilities.set(Capabilities::FLOAT64, module.has_doubles(abilities));
        let mut validator = Validator::new(ValidationFlags::all(), capabilities);
        if abilities.subgroups {
            validator.subgroup_stages(ShaderStages::COMPUTE).subgroup_operations(SubgroupOperationSet::all());
        }
        validator.validate(&parsed).unwrap_or_else(|error| panic!("{} with {abilities:?}: {error:?}", module.name));
        let mut layouter = naga::proc::Layouter::default();
        layouter.update(parsed.to_ctx()).expect("a layout");
        let variables = parsed.global_variables.iter().map(|(_, variable)| variable);
        let shared: u32 = variables
            .filter(|variable| variable.space == naga::AddressSpace::WorkGroup)
            .map(|variable| layouter[variable.ty].size)
            .sum();
        assert!(shared <= WORKGROUP_MEMORY, "{} with {abilities:?}: {shared} bytes of workgroup memory", module.name);
    }
}

/// Every stage has a kernel of its name, with a workgroup size within the default limits.
#[test]
fn stages_have_kernels() {
    for (stage, abilities) in ALL.iter().flat_map(|stage| ABILITIES.map(|abilities| (stage, abilities))) {
        let module = parse(stage.module, abilities);
        let entry = module.entry_points.iter().find(|entry| entry.name == stage.name);
        let entry = entry.unwrap_or_else(|| panic!("there is no kernel {}", stage.name));
        assert!(entry.workgroup_size.iter().product::<u32>() <= 256, "{}", stage.name);
        assert!(stage.module.buffers.len() <= 8, "{}: so many storage buffers has every device", stage.name);
    }
}

/// A module, its shader and the file of its twins have one name, and there is no other shader beside those of modules.
#[test]
fn modules_and_their_files_have_one_name() {
    let root = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| ".".to_owned());
    for folder in ["phases", "queries"] {
        for entry in std::fs::read_dir(format!("{root}/shaders/{folder}")).expect("the shaders") {
            let path = entry.expect("a file").path();
            let shader = format!("{folder}/{}", path.file_stem().expect("a name").display());
            assert!(
                modules().iter().any(|module| module.shader == shader),
                "{shader} has no kernels: it belongs in shaders/lib"
            );
        }
    }
    for Module { name, shader, .. } in modules() {
        let (folder, file) = shader.split_once('/').expect("a folder");
        assert!(["phases", "queries"].contains(&folder) && file == *name, "{name} is in {shader}");
        assert!(std::path::Path::new(&format!("{root}/src/gpu/twin/{name}.rs")).exists(), "the twins of {name}");
    }
}

/// The bindings of every module are as declared: numbers, names, element types and access.
#[test]
fn bindings_are_as_declared() {
    for module in modules() {
        let parsed = parse(module, Abilities::default());
        let mut found: Vec<(u32, String, bool, String)> = Vec::new();
        for (_, variable) in parsed.global_variables.iter() {
            let Some(binding) = &variable.binding else { continue };
            let name = variable.name.clone().unwrap_or_default();
            let writes = match variable.space {
                naga::AddressSpace::Storage { access } => access.contains(naga::StorageAccess::STORE),
                naga::AddressSpace::Uniform => {
                    assert_eq!((binding.group, binding.binding, name.as_str()), (0, 0, "params"), "{}", module.name);
                    continue;
                }
                other => panic!("{}: {name} is in {other:?}", module.name),
            };
            let naga::TypeInner::Array { base, .. } = parsed.types[variable.ty].inner else {
                panic!("{}: {name} is no array", module.name)
            };
            let element = match parsed.types[base].inner {
                naga::TypeInner::Scalar(naga::Scalar::U32) => "u32".to_owned(),
                naga::TypeInner::Atomic(naga::Scalar::U32) => "atomic<u32>".to_owned(),
                naga::TypeInner::Vector { size, scalar: naga::Scalar::U32 } => format!("vec{}u", size as u32),
                ref other => panic!("{}: {name} is of {other:?}", module.name),
            };
            found.push((binding.binding, name, writes, element));
        }
        found.sort_unstable();
        let declared = (1..).zip(module.buffers);
        let declared: Vec<_> =
            declared.map(|(k, info)| (k, info.name.to_owned(), info.writes, info.element.to_owned())).collect();
        assert_eq!(found, declared, "{}", module.name);
        assert_eq!(declared.last().map(|last| last.1.as_str()), Some("status"), "{}", module.name);
    }
}

/// Every member of every uniform lies where Rust writes it.
#[test]
fn params_are_laid_out_alike() {
    for (module, params_in_storage_below) in modules().into_iter().flat_map(|module| [(module, 0), (module, 9)]) {
        let parsed = parse(module, Abilities { params_in_storage_below, ..Abilities::default() });
        let (_, ty) = parsed.types.iter().find(|(_, ty)| ty.name.as_deref() == Some("Params")).expect("the struct");
        let naga::TypeInner::Struct { members, span } = &ty.inner else { panic!("Params is no struct") };
        let found: Vec<(&str, usize)> =
            members.iter().map(|m| (m.name.as_deref().unwrap_or_default(), m.offset as usize)).collect();
        let declared: Vec<(&str, usize)> = module.params.iter().map(|param| (param.name, param.offset)).collect();
        assert_eq!(found, declared, "{}", module.name);
        let sizes = module.params_size as u64..=module.uniform_size();
        assert!(sizes.contains(&u64::from(*span)), "{}: {span} bytes, not {sizes:?}", module.name);
    }
}

/// Constants keep their values in WGSL: those that Rust prints, and those that the files for each arithmetic contain.
#[test]
fn numbers_survive() {
    let bits = |x: f32| f64::from(x.to_bits());
    let expected = [
        ("OBB_FACE_T", constants::FACE_T),
        ("BALL_R", constants::BALL_R),
        ("BOUNDS_POSITION", bounds::POSITION),
        ("BOUNDS_TINY", bounds::TINY),
        ("BOUNDS_LARGEST", f64::from(bounds::LARGEST)),
        ("FLT_MAX", f64::from(f32::MAX)),
        ("LARGEST_LENGTH", bits(domain::LARGEST_LENGTH)),
        ("SMALLEST_COMPONENT", bits(domain::SMALLEST_COMPONENT)),
        ("ABSENT", f64::from(u32::MAX)),
        ("U", <f32 as Arithmetic>::U),
        ("TINY", <f32 as Arithmetic>::TINY),
        ("TINY_SQUARED", <f32 as Arithmetic>::TINY_SQUARED),
    ];
    let parsed: Vec<naga::Module> = modules().into_iter().map(|module| parse(module, Abilities::default())).collect();
    for (name, value) in expected {
        let mut found = parsed.iter().filter_map(|module| constant(module, name)).peekable();
        assert!(found.peek().is_some(), "no shader has {name}");
        assert!(found.all(|other| other == value), "{name} is {value} in Rust, and not in a shader");
    }
    // The constants of `f64`.
    let settle = modules().into_iter().find(|module| module.doubles).expect("a module in f64");
    let module = parse(settle, Abilities { doubles: true, ..Abilities::default() });
    // Twice the roundoff, because rounding may go either way.
    assert_eq!(constant(&module, "U"), Some(2.0 * <f64 as Arithmetic>::U));
    assert_eq!(constant(&module, "TINY"), Some(<f64 as Arithmetic>::TINY));
    assert_eq!(constant(&module, "TINY_SQUARED"), Some(<f64 as Arithmetic>::TINY_SQUARED));
    assert_eq!(constant(&module, "OBB_FACE_T"), Some(constants::FACE_T));
}
