//! A chart of time over bodies, both logarithmic, as SVG.

use std::fmt::Write;

use super::embed::escaped;
use crate::numbers::grouped;

/// A line of the chart: points (bodies, milliseconds) by increasing bodies, all positive.
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 980.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 64.0;
/// Room for the names of the series.
const RIGHT: f64 = 360.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 44.0;
/// The least distance between names, in pixels.
const LINE: f64 = 17.0;
/// Colours in the style sheet.
pub const COLOURS: usize = 8;
/// The longest name that the room for it holds.
const NAME: usize = 54;

/// From a value to a place on a logarithmic axis.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis with some room on both sides of the values.
    fn new(values: impl Iterator<Item = f64>, room: f64, from: f64, to: f64) -> Self {
        let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low > high { (1.0, 10.0) } else { (low, high) };
        Self { low: low / room, high: high * room, from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value / self.low).ln() / (self.high / self.low).ln();
        self.from + share * (self.to - self.from)
    }

    /// Powers of ten inside; where there is at most one, also 2 and 5 times such.
    fn ticks(&self) -> Vec<f64> {
        let powers: Vec<f64> =
            (self.low.log10().floor() as i32..=self.high.log10().ceil() as i32).map(|k| 10_f64.powi(k)).collect();
        let inside = |value: &f64| *value >= self.low && *value <= self.high;
        let whole: Vec<f64> = powers.iter().copied().filter(inside).collect();
        if whole.len() > 1 {
            return whole;
        }
        powers.iter().flat_map(|power| [*power, 2.0 * power, 5.0 * power]).filter(inside).collect()
    }
}

/// The chart. Dashed lines are times that grow as the number of bodies does.
pub fn scaling(title: &str, series: &[Series]) -> String {
    let values = || series.iter().flat_map(|one| &one.points);
    let x = Axis::new(values().map(|point| point.0), 1.6, LEFT, WIDTH - RIGHT);
    let y = Axis::new(values().map(|point| point.1), 1.8, HEIGHT - BOTTOM, TOP);
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">",
        escaped(title)
    );
    grid(&mut out, &x, &y);
    guides(&mut out, &x, &y);
    let mut ends: Vec<(f64, usize)> = Vec::new();
    for (k, one) in series.iter().enumerate() {
        let colour = k % COLOURS;
        let places: Vec<(f64, f64)> = one.points.iter().map(|(n, ms)| (x.place(*n), y.place(*ms))).collect();
        let path: Vec<String> = places.iter().map(|(px, py)| format!("{px:.1},{py:.1}")).collect();
        let _ = write!(out, "<polyline class=\"line s{colour}\" points=\"{}\"/>", path.join(" "));
        for ((px, py), (n, ms)) in places.iter().zip(&one.points) {
            let told =
                format!("{}: {} bodies, {} ms", one.name, grouped(*n as u64), super::comparison::milliseconds(*ms));
            let _ =
                write!(out, "<g class=\"mark s{colour}\"><title>{}</title>{}</g>", escaped(&told), mark(k, *px, *py));
        }
        if let Some((_, py)) = places.last() {
            ends.push((*py, k));
        }
    }
    names(&mut out, series, ends, &x);
    out.push_str("</svg>");
    out
}

fn grid(out: &mut String, x: &Axis, y: &Axis) {
    let (left, right, top, bottom) = (LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM);
    for tick in x.ticks() {
        let at = x.place(tick);
        let _ = write!(out, "<path class=\"grid\" d=\"M{at:.1} {top}V{bottom}\"/>");
        let _ = write!(
            out,
            "<text class=\"tick\" x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            bottom + 18.0,
            grouped(tick as u64)
        );
    }
    for tick in y.ticks() {
        let at = y.place(tick);
        let _ = write!(out, "<path class=\"grid\" d=\"M{left} {at:.1}H{right}\"/>");
        let _ = write!(
            out,
            "<text class=\"tick\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            left - 8.0,
            at + 4.0,
            plain(tick)
        );
    }
    let _ = write!(out, "<path class=\"frame\" d=\"M{left} {top}V{bottom}H{right}\"/>");
    let middle = f64::midpoint(left, right);
    let _ =
        write!(out, "<text class=\"tick\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">bodies</text>", HEIGHT - 6.0);
    let _ = write!(out, "<text class=\"tick\" x=\"{left}\" y=\"{}\" text-anchor=\"end\">ms</text>", TOP - 4.0);
}

/// A power of ten, or 2 or 5 times one, as people write it.
fn plain(value: f64) -> String {
    if value >= 1.0 { grouped(value.round() as u64) } else { format!("{:.*}", (-value.log10()).ceil() as usize, value) }
}

/// Lines of constant time per body, a decade apart, each with its time.
fn guides(out: &mut String, x: &Axis, y: &Axis) {
    // Milliseconds per body.
    for (each, name) in [
        (1e-7, "0.1 ns per body"),
        (1e-6, "1 ns per body"),
        (1e-5, "10 ns per body"),
        (1e-4, "100 ns per body"),
        (1e-3, "1 µs per body"),
        (1e-2, "10 µs per body"),
        (1e-1, "100 µs per body"),
        (1.0, "1 ms per body"),
    ] {
        let from = x.low.max(y.low / each);
        let to = x.high.min(y.high / each);
        if from >= to {
            continue;
        }
        let (x0, y0, x1, y1) = (x.place(from), y.place(from * each), x.place(to), y.place(to * each));
        let _ = write!(out, "<path class=\"guide\" d=\"M{x0:.1} {y0:.1}L{x1:.1} {y1:.1}\"/>");
        // A name along the line from its start, where points are far, if the line is long enough.
        if (x1 - x0).hypot(y1 - y0) > 130.0 {
            let angle = (y1 - y0).atan2(x1 - x0).to_degrees();
            let place = format!("translate({x0:.1} {y0:.1}) rotate({angle:.1}) translate(6 -4)");
            let _ = write!(out, "<text class=\"guide-name\" transform=\"{place}\">{name}</text>");
        }
    }
}

/// A mark whose form tells series apart where colours do not.
fn mark(k: usize, x: f64, y: f64) -> String {
    match k % 4 {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"/>"),
        1 => format!("<rect x=\"{:.1}\" y=\"{:.1}\" width=\"8\" height=\"8\"/>", x - 4.0, y - 4.0),
        2 => format!("<path d=\"M{x:.1} {:.1}l5.5 9.5h-11z\"/>", y - 5.5),
        _ => format!("<path d=\"M{x:.1} {:.1}l5.5 5.5l-5.5 5.5l-5.5 -5.5z\"/>", y - 5.5),
    }
}

/// The name of each series at its end; names that would lie on each other are moved apart.
fn names(out: &mut String, series: &[Series], mut ends: Vec<(f64, usize)>, x: &Axis) {
    ends.sort_by(|p, q| p.0.total_cmp(&q.0));
    let mut places: Vec<f64> = Vec::new();
    for (at, _) in &ends {
        places.push(places.last().map_or(*at, |above: &f64| at.max(above + LINE)));
    }
    // What was moved below the chart moves all above it up.
    let mut lowest = HEIGHT - BOTTOM;
    for place in places.iter_mut().rev() {
        *place = place.min(lowest);
        lowest = *place - LINE;
    }
    let edge = WIDTH - RIGHT;
    for ((end, k), place) in ends.iter().zip(places) {
        let from = series[*k].points.last().map_or(edge, |(n, _)| x.place(*n));
        let colour = k % COLOURS;
        let _ = write!(out, "<path class=\"lead s{colour}\" d=\"M{:.1} {end:.1}L{edge} {place:.1}h12\"/>", from + 7.0);
        let _ = write!(out, "<g class=\"mark s{colour}\">{}</g>", mark(*k, edge + 18.0, place));
        let name = &series[*k].name;
        let short: String = if name.chars().count() > NAME {
            name.chars().take(NAME - 1).chain(['…']).collect()
        } else {
            name.clone()
        };
        let _ = write!(
            out,
            "<text class=\"name\" x=\"{}\" y=\"{:.1}\">{}</text>",
            edge + 28.0,
            place + 4.0,
            escaped(&short)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_logarithmic() {
        let axis = Axis::new([10.0, 1000.0].into_iter(), 1.0, 0.0, 200.0);
        assert!((axis.place(100.0) - 100.0).abs() < 1e-9);
        assert_eq!(axis.ticks().iter().map(|tick| tick.round() as u64).collect::<Vec<_>>(), [10, 100, 1000]);
        let narrow = Axis::new([3000.0].into_iter(), 2.0, 0.0, 1.0);
        assert_eq!(narrow.ticks().iter().map(|tick| tick.round() as u64).collect::<Vec<_>>(), [2000, 5000]);
        assert_eq!([0.002, 0.5, 1.0, 20_000.0].map(plain), ["0.002", "0.5", "1", "20,000"]);
    }

    #[test]
    fn a_chart_has_its_points_and_no_markup_of_names() {
        let series = [
            Series { name: "<script>alert(1)</script>".to_owned(), points: vec![(1e3, 1.0), (1e6, 900.0)] },
            Series { name: "cpu".to_owned(), points: vec![(1e3, 1.01)] },
        ];
        let text = scaling("time \"over\" bodies", &series);
        assert!(!text.contains("<script") && text.contains("&lt;script&gt;alert(1)"), "{text}");
        assert!(text.contains("cpu: 1,000 bodies, 1.01 ms") && text.contains("1 µs per body"), "{text}");
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        // An empty chart is still a chart.
        assert!(!scaling("", &[]).contains("NaN"));
    }
}
