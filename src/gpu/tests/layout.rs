//! Structs and constants of the shaders are those of the Rust code, as naga sees them.

use super::super::params::{self, Params};
use super::super::stages::{ALL, Abilities, Binding, Module};
use crate::filter::{self, Arithmetic, bounds, domain};

fn parse(module: &Module, subgroups: bool, doubles: bool) -> naga::Module {
    let source = module.source(Abilities { subgroups, doubles });
    naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{}: {}", module.name, error.emit_to_string(&source)))
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

/// All modules are valid with what every device has, and fit its limits.
#[test]
fn modules_are_valid_and_portable() {
    for stage in ALL {
        let module = parse(stage.module, false, false);
        let flags = naga::valid::ValidationFlags::all();
        naga::valid::Validator::new(flags, naga::valid::Capabilities::empty())
            .validate(&module)
            .unwrap_or_else(|error| panic!("{}: {error:?}", stage.module.name));
        if stage.module.lanes.is_some() {
            let subgroups = naga::valid::Capabilities::SUBGROUP | naga::valid::Capabilities::SUBGROUP_BARRIER;
            naga::valid::Validator::new(flags, subgroups)
                .subgroup_stages(naga::valid::ShaderStages::COMPUTE)
                .subgroup_operations(naga::valid::SubgroupOperationSet::all())
                .validate(&parse(stage.module, true, false))
                .unwrap_or_else(|error| panic!("{} with subgroups: {error:?}", stage.module.name));
        }
        if stage.module.reals.is_some() {
            naga::valid::Validator::new(flags, naga::valid::Capabilities::FLOAT64)
                .validate(&parse(stage.module, false, true))
                .unwrap_or_else(|error| panic!("{} in f64: {error:?}", stage.module.name));
        }
        assert!(stage.module.storage_buffers() <= 8, "{}", stage.module.name);
        let entry = module.entry_points.iter().find(|entry| entry.name == stage.name);
        let entry = entry.unwrap_or_else(|| panic!("there is no kernel {}", stage.name));
        assert!(entry.workgroup_size.iter().product::<u32>() <= 256, "{}", stage.name);
        // Bindings, with what may be done to them.
        let mut found = vec![None; stage.module.bindings.len() + 1];
        for (_, variable) in module.global_variables.iter() {
            if let Some(binding) = &variable.binding {
                found[binding.binding as usize] = Some(variable.space);
            }
        }
        assert_eq!(found[0], Some(naga::AddressSpace::Uniform), "{}", stage.module.name);
        for (k, binding) in stage.module.bindings.iter().enumerate() {
            let write = naga::StorageAccess::LOAD | naga::StorageAccess::STORE;
            let expected = match binding {
                Binding::Step => naga::AddressSpace::Uniform,
                Binding::Read => naga::AddressSpace::Storage { access: naga::StorageAccess::LOAD },
                Binding::Write => naga::AddressSpace::Storage { access: write },
            };
            assert_eq!(found[k + 1], Some(expected), "{} binding {}", stage.module.name, k + 1);
        }
        let mut layouter = naga::proc::Layouter::default();
        layouter.update(module.to_ctx()).expect("a layout");
        let shared: u32 = module
            .global_variables
            .iter()
            .filter(|(_, variable)| variable.space == naga::AddressSpace::WorkGroup)
            .map(|(_, variable)| layouter[variable.ty].size)
            .sum();
        assert!(shared <= 16384, "{}: {shared} bytes of workgroup memory", stage.module.name);
    }
}

/// Every member of the uniform lies where Rust writes it.
#[test]
fn params_are_laid_out_alike() {
    let module = parse(ALL[0].module, false, false);
    let (_, ty) = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some("Params")).expect("the struct");
    let naga::TypeInner::Struct { members, span } = &ty.inner else { panic!("Params is no struct") };
    assert_eq!(*span as usize, size_of::<Params>());
    let offsets: Vec<(&str, usize)> =
        members.iter().map(|m| (m.name.as_deref().unwrap_or_default(), m.offset as usize)).collect();
    macro_rules! expected {
        ($($field:ident)*) => { vec![$((stringify!($field), std::mem::offset_of!(Params, $field))),*] };
    }
    let expected = expected!(
        zero flags bodies first_slot end_slot curve_bits tiles keys origin scale giant classes own_first own_end level_first
        level_count bucket_first bucket_size bin_first bin_size bin_bits rows exclusions only_bucket unfinished work top tag
    );
    assert_eq!(offsets, expected);
}

/// Constants that both sides write down.
#[test]
fn constants_are_equal() {
    let u = <f32 as Arithmetic>::U;
    let bits = |x: f32| f64::from(x.to_bits());
    let expected = [
        ("CLASSES", f64::from(params::CLASSES)),
        ("WORLDS", f64::from(params::WORLDS)),
        ("CHOOSY", f64::from(params::CHOOSY)),
        ("ORDERED", f64::from(params::ORDERED)),
        ("EVERYONE", f64::from(params::EVERYONE)),
        ("FLAT", f64::from(params::FLAT)),
        ("STATUS_CANDIDATES", params::STATUS_CANDIDATES as f64),
        ("STATUS_HITS", params::STATUS_HITS as f64),
        ("STATUS_CROWDED", params::STATUS_CROWDED as f64),
        ("BINS", params::BINS as f64),
        ("PLACED", f64::from(params::PLACED)),
        ("STATUS_LONG_ROWS", params::STATUS_LONG_ROWS as f64),
        ("STATUS_UNDECIDED", params::STATUS_UNDECIDED as f64),
        ("STATUS_CARRY", params::STATUS_CARRY as f64),
        ("STATUS_UNFINISHED", params::STATUS_UNFINISHED as f64),
        ("STATUS_LONG_HITS", params::STATUS_LONG_HITS as f64),
        ("STATUS_GATHERED", params::STATUS_GATHERED as f64),
        ("STATUS_SKIPPED", params::STATUS_SKIPPED as f64),
        ("STATUS_LEFT_OPEN", params::STATUS_LEFT_OPEN as f64),
        ("STATUS_SETTLED", params::STATUS_SETTLED as f64),
        ("STATUS_ANSWERED", params::STATUS_ANSWERED as f64),
        ("WIDTH", f64::from(params::WIDTH)),
        ("NONE", f64::from(params::NONE)),
        ("TILE", f64::from(params::TILE)),
        ("FIRST", f64::from(params::SORT_FIRST)),
        ("LAST", f64::from(params::SORT_LAST)),
        ("BLOCK", f64::from(params::BLOCK)),
        ("PARTS", f64::from(params::PARTS)),
        ("SHORT_ROW", f64::from(params::SHORT_ROW)),
        ("ID", f64::from(params::ID)),
        ("TOUCHING", f64::from(params::TOUCHING)),
        ("OUTSIDE_DOMAIN", f64::from(params::MARK)),
        ("U", u),
        ("TINY", <f32 as Arithmetic>::TINY),
        ("TINY_SQUARED", <f32 as Arithmetic>::TINY_SQUARED),
        ("OBB_FACE_T", filter::constants::FACE_T),
        ("OBB_FACE_S", filter::constants::FACE_S),
        ("OBB_EDGE_T", filter::constants::EDGE_T),
        ("OBB_EDGE_S", filter::constants::EDGE_S),
        ("OBB_SINE", filter::constants::OBB_SINE),
        ("AABB", filter::constants::AABB),
        ("AABB_SINE", filter::constants::AABB_SINE),
        ("LOCAL_T", filter::constants::LOCAL_T),
        ("LOCAL_E", filter::constants::LOCAL_E),
        ("SQUARES", filter::constants::SQUARES),
        ("OBB_C", filter::constants::OBB_C),
        ("OBB_D", filter::constants::OBB_D),
        ("OBB_E", filter::constants::OBB_E),
        ("AABB_C", filter::constants::AABB_C),
        ("AABB_D", filter::constants::AABB_D),
        ("BALL_C", filter::constants::BALL_C),
        ("BALL_D", filter::constants::BALL_D),
        ("BALL_R", filter::constants::BALL_R),
        ("BOUNDS_REACH", bounds::REACH),
        ("BOUNDS_POSITION", bounds::POSITION),
        ("BOUNDS_TINY", bounds::TINY),
        ("BOUNDS_LARGEST", f64::from(bounds::LARGEST)),
        ("LARGEST_LENGTH", bits(domain::LARGEST_LENGTH)),
        ("LARGEST_TURN", bits(domain::LARGEST_TURN)),
        ("SMALLEST_TURN", bits(domain::SMALLEST_TURN)),
        ("LARGEST_COMPONENT", bits(domain::LARGEST_COMPONENT)),
        ("SMALLEST_COMPONENT", bits(domain::SMALLEST_COMPONENT)),
        ("LARGEST_OFFSET", bits(domain::LARGEST_OFFSET)),
    ];
    let modules: Vec<naga::Module> = ALL.iter().map(|stage| parse(stage.module, false, false)).collect();
    for (name, value) in expected {
        let mut found = modules.iter().filter_map(|module| constant(module, name)).peekable();
        assert!(found.peek().is_some(), "no shader has {name}");
        assert!(found.all(|other| other == value), "{name} is {value} in Rust, and not in a shader");
    }
    for module in &modules {
        if let (Some(group), Some(each)) = (constant(module, "GROUP"), constant(module, "EACH")) {
            assert_eq!(group * each, f64::from(params::CANDIDATES));
        }
    }
    // The finer arithmetic.
    let settle = ALL.iter().find(|stage| stage.module.name == "settle").expect("the stage");
    let module = parse(settle.module, false, true);
    // Rounding may go either way.
    assert_eq!(constant(&module, "U"), Some(2.0 * <f64 as Arithmetic>::U));
    assert_eq!(constant(&module, "TINY"), Some(<f64 as Arithmetic>::TINY));
    assert_eq!(constant(&module, "TINY_SQUARED"), Some(<f64 as Arithmetic>::TINY_SQUARED));
}
