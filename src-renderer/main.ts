import './app/zod-strict'
import { mount } from 'svelte'
import { config } from 'zod'
import './ui/tokens.css'
import './ui/base.css'
import './ui/controls.css'
import App from './app/App.svelte'
import { openFlightplan } from './app/boot'

// The page may not make code from text; without this, parsing tries it once and the policy reports it.
config({ jitless: true })

mount(App, { target: document.getElementById('app')!, props: { open: () => openFlightplan(window.flightplan) } })
