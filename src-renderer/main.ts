import './without-eval'
import { mount } from 'svelte'
import './ui/tokens.css'
import './ui/base.css'
import './ui/controls.css'
import './ui/layout.css'
import './ui/print.css'
import App from './app/App.svelte'
import { openFlightplan } from './app/boot'
import { acceptFiles } from './app/files/dropped-files'
import { reportErrors } from './app/page-errors'
import { safeStorage } from './app/safe-storage'
import { bridgeOver } from './bridge'

const { flightplan } = window
const bridge = bridgeOver(flightplan)
reportErrors(window, bridge)
acceptFiles(window)
if (flightplan.safeMode) Object.defineProperty(window, 'localStorage', { value: safeStorage(localStorage) })

mount(App, {
  target: document.getElementById('app')!,
  props: { open: () => openFlightplan(bridge, localStorage, flightplan.follows ? location.hash : undefined) },
})
