import '../../../src-renderer/without-eval'
import { mount } from 'svelte'
import type { AppInfo, Bridge } from '#shared/ipc/contract'
import '../../../src-renderer/ui/tokens.css'
import '../../../src-renderer/ui/base.css'
import '../../../src-renderer/ui/controls.css'
import '../../../src-renderer/ui/layout.css'
import { Accounts } from '../../../src-renderer/context/accounts.svelte'
import App from '../../../src-renderer/app/App.svelte'
import { crowd, seeds, zone } from './fixture-data'
import { someAccount } from '../../helpers/account'
import { fixtureReplica } from './fixture-replica'

const query = new URLSearchParams(location.search)
const account = someAccount({ email: 'nora@flightplan.example' })
const answers: Record<string, unknown> = {
  'account/list': [account],
  'sync/budget': { budgets: [] },
  'sandbox/state': { running: true, baseUrl: '' },
}
const bridge: Bridge = {
  ask: async (name) => ({ ok: true, value: (answers[name] ?? null) as never }),
  on: () => () => {},
}
const info: AppInfo = {
  version: '0.1.0',
  electron: '',
  platform: 'linux',
  timeZone: zone,
  userDataPath: '',
  offline: false,
  keepsSignIns: 'memory',
}
async function open(): Promise<Accounts> {
  const accounts = new Accounts({
    owns: true,
    bridge,
    info,
    open: async () => fixtureReplica(account, [...seeds, ...crowd(Number(query.get('crowd') ?? 0))]),
    destroy: async () => undefined,
    storage: localStorage,
  })
  await accounts.start()
  return accounts
}
mount(App, { target: document.getElementById('app')!, props: { open } })
