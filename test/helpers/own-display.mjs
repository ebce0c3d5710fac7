// A setup file: on Linux, windows of a worker get a virtual display of the worker's own, so that those of two workers don't
// take each other's focus and clipboard, and none turns up in front of whoever runs the tests.
import { startDisplay } from '../../scripts/display.mjs'

if (process.platform === 'linux' && process.env.FLIGHTPLAN_DISPLAY_OF !== String(process.pid)) {
  const { display } = await startDisplay({ width: 2600, height: 1500 })
  process.env.DISPLAY = display
  process.env.FLIGHTPLAN_DISPLAY_OF = String(process.pid)
  delete process.env.WAYLAND_DISPLAY
}
