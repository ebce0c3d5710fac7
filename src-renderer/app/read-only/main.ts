import { mount } from 'svelte'
import '../../ui/tokens.css'
import '../../ui/base.css'
import '../../ui/controls.css'
import '../../ui/layout.css'
import { bridgeOver } from '../../bridge'
import { applyTheme } from '../theme'
import ReadOnly from './ReadOnly.svelte'

applyTheme('system')
mount(ReadOnly, { target: document.getElementById('app')!, props: { bridge: bridgeOver(window.flightplan) } })
