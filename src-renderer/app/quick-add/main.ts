import { mount } from 'svelte'
import '../../ui/tokens.css'
import '../../ui/base.css'
import '../../ui/controls.css'
import '../../ui/layout.css'
import { bridgeOver } from '../../bridge'
import QuickAddWindow from './QuickAddWindow.svelte'

const early = document.querySelector<HTMLInputElement>('#early-line')
const typed = early?.value ?? ''
early?.remove()
mount(QuickAddWindow, {
  target: document.getElementById('app')!,
  props: { bridge: bridgeOver(window.flightplan), typed },
})
