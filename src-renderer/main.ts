import './without-eval'
import { mount } from 'svelte'
import './ui/tokens.css'
import './ui/base.css'
import './ui/controls.css'
import './ui/print.css'
import App from './app/App.svelte'
import { openFlightplan } from './app/boot'
import { bridgeOver } from './bridge'

mount(App, {
  target: document.getElementById('app')!,
  props: { open: () => openFlightplan(bridgeOver(window.flightplan), localStorage) },
})
