//! The new shapes through JSON: what is read is what was written, and what makes no shape is refused.
use serde_json::{from_str, to_string};
use tangency::glam::{Quat, vec3};
use tangency::query::Motion;
use tangency::shape::{
    BoundedLine, Capsule, ConvexHull, Line, Parallelogram, Plane, Pose, Ray, Segment, Shape, Triangle,
};

fn round_trip<T: serde::Serialize + for<'a> serde::Deserialize<'a> + PartialEq + std::fmt::Debug>(shape: &T) {
    assert_eq!(from_str::<T>(&to_string(shape).unwrap()).unwrap(), *shape);
}

#[test]
fn shapes_survive_a_round_trip() {
    let line = Line::new([0.0; 3], [0.0, 1.0, 0.1]).unwrap();
    round_trip(&line);
    round_trip(&BoundedLine::new(line, -1.0, 2.5).unwrap());
    round_trip(&Ray::new([1.0; 3], [0.3, 0.0, 0.0]).unwrap());
    round_trip(&Segment::new([1.0; 3], [0.3, 0.0, 0.0]).unwrap());
    round_trip(&Capsule::new([1.0; 3], [0.3, 0.0, 0.0], 0.7).unwrap());
    round_trip(&Shape::from(Plane::new([1.0; 3], 0.3).unwrap()));
    round_trip(&Shape::from(ConvexHull::from_points([[1.0; 3], [0.3, 0.0, 0.0]]).unwrap()));
    round_trip(&Triangle::new([1.0; 3], [0.3, 0.0, 0.0], [0.0; 3]).unwrap());
    round_trip(&Parallelogram::new([1.0; 3], [0.3, 0.0, 0.0], [0.0, 0.2, 0.1]).unwrap());
}

#[test]
fn what_makes_no_shape_is_refused() {
    assert!(from_str::<Ray>(r#"{"origin":[0,0,0],"direction":[0,0,0]}"#).is_err());
    assert!(from_str::<Shape>(r#"{"segment":{"a":[0,0,0],"b":[1,0,0]}}"#).is_ok());
    assert!(from_str::<Shape>(r#"{"sphere":{"center":[0,0,0],"radius":-1}}"#).is_err());
    assert!(from_str::<Capsule>(r#"{"a":[0,0,0],"b":[1,0,0],"radius":-1}"#).is_err());
    assert!(from_str::<Segment>(r#"{"a":[0,0,0],"b":[1,0,0],"c":[1,0,0]}"#).is_err());
    assert!(from_str::<Parallelogram>(r#"{"corner":[0,0,0],"u":[1,2,3],"v":[2,4,6]}"#).is_err());
    let reversed = r#"{"line":{"point":[0,0,0],"direction":[1,0,0]},"min":2,"max":1}"#;
    let error = from_str::<BoundedLine>(reversed).unwrap_err().to_string();
    assert!(error.contains("min.t is 2, which is above max.t = 1"), "{error}");
}

#[test]
fn hulls_keep_their_pose() {
    let rod = ConvexHull::from_points([[1.0; 3], [0.3, 0.0, 0.0]]).unwrap();
    assert_eq!(to_string(&rod).unwrap(), r#"{"vertices":[[0.3,0.0,0.0],[1.0,1.0,1.0]]}"#);
    let moved = rod.with_pose(Pose::new([5.0, 0.1, 0.0], Quat::from_xyzw(0.3, 0.0, 0.0, 2.0)).unwrap());
    round_trip(&moved);
    round_trip(&Shape::from(moved));
    let text = r#"{"vertices":[[0,0,0],[1,0,0]],"pose":{"position":[0,2,0],"rotation":[0,0,1,1]}}"#;
    assert_eq!(from_str::<ConvexHull>(text).unwrap().vertices()[1], vec3(0.0, 3.0, 0.0));
    for bad in [r#"{"position":[0,2,0],"rotation":[0,0,0,0]}"#, r#"{"position":[0,2,0]}"#] {
        assert!(from_str::<ConvexHull>(&format!(r#"{{"vertices":[[0,0,0]],"pose":{bad}}}"#)).is_err());
    }
}

#[test]
fn motions_survive_a_round_trip() {
    let motion = Motion::new([1.0, 0.1, 0.0], [0.0, 0.3, 0.0]).unwrap();
    assert_eq!(to_string(&motion).unwrap(), r#"{"translation":[1.0,0.1,0.0],"rotation":[0.0,0.3,0.0]}"#);
    round_trip(&motion);
    round_trip(&motion.about([0.7, 0.0, -3.0]).unwrap());
    assert!(from_str::<Motion>(r#"{"translation":[0,0,0],"rotation":[0,0,0],"center":[0,0,0]}"#).is_err());
    assert!(from_str::<Motion>(r#"{"translation":[0,0,0],"rotation":[0,0,1e39]}"#).is_err());
    assert!(from_str::<Motion>(r#"{"translation":[0,0,0],"rotation":[0,0,1],"pivot":[0,1e39,0]}"#).is_err());
}
