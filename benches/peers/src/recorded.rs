//! Rays that are recorded into an encoder: they come from the host, and their hits stay on the device.

use std::error::Error;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use serde_json::Value;
use tangency::shape::Ray;
use tangency::{Bodies, Builder, Ended, Engine, Index, wgpu};

use crate::median;
use crate::near::Rows;
use crate::probes::Probes;

/// How often a recording may have too little room, of which it learns each time.
const MOST_LESSONS: usize = 20;

/// The result of a future that needs no one to wake it, as those of wgpu on a native system.
fn wait<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(result) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return result;
        }
    }
}

/// A device of ours, and an engine on it.
struct Recorder {
    device: wgpu::Device,
    queue: wgpu::Queue,
    engine: Engine,
    index: Index,
}

impl Recorder {
    fn new(bodies: &Bodies) -> Result<Self, Box<dyn Error>> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter = wait(instance.request_adapter(&options))?;
        let descriptor = wgpu::DeviceDescriptor {
            required_limits: adapter.limits(),
            required_features: adapter.features() & Builder::DEVICE_FEATURES,
            ..Default::default()
        };
        let (device, queue) = wait(adapter.request_device(&descriptor))?;
        let engine = Engine::builder().device(device.clone(), queue.clone()).build()?;
        let index = engine.index(bodies)?;
        Ok(Self { device, queue, engine, index })
    }

    /// How long it takes from rays on the host to hits on the device, their status in the host's hands.
    fn cast(&self, rays: &[Ray]) -> tangency::Result<(Duration, Ended)> {
        let start = Instant::now();
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut recorded = self.engine.cast_rays(&self.index, rays).record(&mut encoder)?;
        self.queue.submit([encoder.finish()]);
        let ended = recorded.ended()?;
        Ok((start.elapsed(), ended))
    }

    /// The median of so many recordings that had room, after two that do not count.
    fn median(&self, rays: &[Ray], runs: usize) -> Result<f64, Box<dyn Error>> {
        let mut lessons = 0;
        while self.cast(rays)?.1.needed.is_some() {
            lessons += 1;
            if lessons > MOST_LESSONS {
                return Err("recordings of it always have too little room".into());
            }
        }
        let times = (0..runs + 2).map(|_| Ok(self.cast(rays)?.0)).collect::<tangency::Result<Vec<_>>>()?;
        Ok(median(times[2..].to_vec()))
    }
}

/// The nearest hits of all rays. (The closest bodies of points cannot be recorded.)
pub fn rays(bodies: &Bodies, probes: &Probes, runs: usize, rows: &Rows<'_>) -> Result<Vec<Value>, Box<dyn Error>> {
    let recorder = Recorder::new(bodies)?;
    let mut all = Vec::new();
    for (what, rays) in probes.sets_of_rays() {
        // Some sets of rays have no room on some devices.
        match recorder.median(rays, runs) {
            Ok(ms) => {
                let what = format!("{what}, recorded: from the host to hits on the device");
                all.push(rows.row_unread(&what, ms));
            }
            Err(reason) => eprintln!("not run: {what}, recorded: {reason}"),
        }
    }
    Ok(all)
}
