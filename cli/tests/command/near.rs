//! Distances, contacts before bodies meet, and bodies that move.

use super::*;

#[test]
fn bodies_that_are_near_or_come_near() {
    // A GPU compiles for each of these for a while: by default, one of them is compared with it.
    let backend = if is_long() { "all" } else { "cpu" };
    let apart = written("two_apart", "kind,cx,cy,cz,r\nsphere,0,0,0,1\nsphere,5,0,0,1\n");
    let adapter = adapter().filter(|_| !is_long());
    let chosen = adapter.iter().flat_map(|adapter| ["--adapter", adapter.as_str()]);
    let near: Vec<&str> = ["near", &apart, "--within", "3", "--backend", "all"].into_iter().chain(chosen).collect();
    let near = tangency(&near);
    let near = text(&near.stdout);
    let [head, row] = near.lines().collect::<Vec<_>>()[..] else { panic!("{near}") };
    assert_eq!(head, "a,b,distance,ax,ay,az,bx,by,bz");
    let cells: Vec<f32> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
    let expected = [0.0, 1.0, 3.0, 1.0, 0.0, 0.0, 4.0, 0.0, 0.0];
    assert!(cells.len() == 9 && cells.iter().zip(expected).all(|(cell, x)| (cell - x).abs() < 1e-6), "{row}");
    assert!(cells[2] <= 3.0);
    let near = json(&["near", &apart, "--within", "4", "--backend", backend, "--json"]);
    assert_eq!((near["hits"].as_u64(), near["pairs"][0]["on_b"][0].as_f64()), (Some(1), Some(4.0)));
    assert!(error(&["near", &apart, "--within=-1"]).contains("distance is -1"));
    let ahead = tangency(&["contacts", &apart, "--margin", "3", "--backend", backend]);
    let depths: Vec<f32> =
        text(&ahead.stdout).lines().skip(1).map(|row| row.split(',').nth(5).unwrap().parse().unwrap()).collect();
    assert!(depths.len() == 1 && (depths[0] + 3.0).abs() < 1e-6, "{depths:?}");
    assert!(error(&["contacts", &apart, "--margin=-1"]).contains("margin is -1"));
    let motions = written("motions", "vx,vy,vz,rx,ry,rz\n6,0,0\n0,0,0,0,1,0\n");
    let sweep = tangency(&["sweep", &apart, "--motions", &motions, "--backend", backend]);
    let sweep = text(&sweep.stdout);
    let [head, row] = sweep.lines().collect::<Vec<_>>()[..] else { panic!("{sweep}") };
    assert_eq!(head, "a,b,from,to,nx,ny,nz");
    let cells: Vec<f64> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
    assert!(cells[2] <= 0.5 && cells[2] > 0.4999 && (cells[4] - 1.0).abs() < 1e-6, "{row}");
    let sweep = json(&["sweep", &apart, "--motions", &motions, "--backend", backend, "--json"]);
    assert_eq!((sweep["hits"].as_u64(), sweep["pairs"][0]["b"].as_u64()), (Some(1), Some(1)));
    let few = written("few_motions", "vx,vy,vz\n6,0,0\n");
    assert!(error(&["sweep", &apart, "--motions", &few]).contains("1 motions; give 2"));
    let wrong = written("wrong_motions", "vx,vy,vz\n6,0,0\n1,2,x\n");
    assert!(error(&["sweep", &apart, "--motions", &wrong]).contains("line 3"));
}
