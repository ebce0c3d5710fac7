import '../../../src-renderer/without-eval'
import { mount } from 'svelte'
import type { Bridge } from '#shared/ipc/contract'
import '../../../src-renderer/ui/tokens.css'
import '../../../src-renderer/ui/base.css'
import '../../../src-renderer/ui/controls.css'
import App from '../../../src-renderer/app/App.svelte'
import { crowd, seeds, zone } from './fixture-data'
import { someAccount } from '../../helpers/account'
import { fixtureReplica } from './fixture-replica'

const query = new URLSearchParams(location.search)
const account = someAccount({ email: 'nora@flightplan.example' })
const bridge: Bridge = {
  ask: async () => ({ ok: true, value: null as never }),
  on: () => () => {},
}
mount(App, {
  target: document.getElementById('app')!,
  props: {
    open: async () => ({
      bridge,
      account,
      info: { version: '0.1.0', electron: '', platform: 'linux', timeZone: zone, userDataPath: '', offline: false },
      replica: fixtureReplica(account, [...seeds, ...crowd(Number(query.get('crowd') ?? 0))]),
    }),
  },
})
