// A setup file: gives each worker a virtual display on Linux, so that windows of two workers don't steal each other's focus
// and clipboard, and none appears on your screen.
import { startDisplay } from '../../scripts/display.mjs'

if (process.platform === 'linux' && process.env.FLIGHTPLAN_DISPLAY_OF !== String(process.pid)) {
  const { display } = await startDisplay({ width: 2600, height: 1500 })
  process.env.DISPLAY = display
  process.env.FLIGHTPLAN_DISPLAY_OF = String(process.pid)
  delete process.env.WAYLAND_DISPLAY
}
