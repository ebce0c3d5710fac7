import { describe, expect, it } from 'vitest'
import { FaultError } from '#shared/fault'
import type { Account } from '#shared/ipc/account-questions'
import type { AppInfo, Bridge, RequestName } from '#shared/ipc/contract'
import { Accounts } from '../../../src-renderer/context/accounts.svelte'
import { TypedLine } from '../../../src-renderer/context/typed-line.svelte'
import { DraftStore } from '../../../src-renderer/views/calendar/editor/draft.svelte'
import type { Replica } from '../../../src-renderer/replica/api'
import { someAccount } from '../../helpers/account'

/** A promise that a test settles manually. */
function gate(): { open: Promise<void>; pass: () => void; fail: (error: unknown) => void } {
  let pass!: () => void
  let fail!: (error: unknown) => void
  const open = new Promise<void>((resolve, reject) => ((pass = resolve), (fail = reject)))
  return { open, pass, fail }
}

const work = someAccount({ id: 'work', label: 'Work', kind: 'service', kept: 'system', opened: false })
const home = someAccount({ id: 'home', label: 'Home', kind: 'service', kept: 'system', signIn: 'out', signedIn: false })

/** An accounts store with a bridge and replicas that only record requests. */
function world(all: Account[] = [someAccount(), work, home], remembered: string | null = null) {
  const asked: string[] = []
  const done: string[] = []
  const answers = new Map<RequestName, () => unknown>()
  const gates = new Map<string, Promise<void>>()
  const undeletable = new Set<string>()
  let tell: (accounts: Account[]) => void = () => undefined
  const counts = new Map<string, { unsent: number; needsYou: number }>()
  const bridge: Bridge = {
    async ask(name, args) {
      asked.push([name, (args as { accountId?: string }).accountId].filter(Boolean).join(' '))
      try {
        const own = answers.get(name)
        const value = own ? await own() : name === 'account/list' ? all : null
        return { ok: true, value: value as never }
      } catch (error) {
        return { ok: false, fault: (error as FaultError).fault }
      }
    },
    on(name, listener) {
      if (name === 'account/changed') tell = (accounts) => listener({ accounts } as never)
      return () => undefined
    },
  }
  const replica = (account: Account): Replica =>
    ({
      account,
      get status() {
        return { ...(counts.get(account.id) ?? { unsent: 0, needsYou: 0 }) }
      },
      subscribe: () => () => undefined,
      syncNow: () => done.push(`sync ${account.id}`),
      close: async () => void done.push(`close ${account.id}`),
    }) as unknown as Replica
  const kept = new Map(remembered ? [['flightplan.account', remembered]] : [])
  const accounts = new Accounts({
    owns: true,
    bridge,
    info: {} as AppInfo,
    open: async (account) => {
      done.push(`open ${account.id}`)
      await gates.get(account.id)
      return replica(account)
    },
    destroy: async (id) => {
      if (undeletable.has(id)) throw full
      done.push(`destroy ${id}`)
    },
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
  })
  return { accounts, asked, done, answers, gates, undeletable, kept, counts, announce: (list: Account[]) => tell(list) }
}

const full = new FaultError({ code: 'storage', message: 'The disk is full.' })
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

describe('accounts', () => {
  it('start with the one last shown, or the first if that one is gone', async () => {
    const last = world(undefined, 'work')
    await last.accounts.start()
    expect(last.accounts.shownId).toBe('work')
    const gone = world(undefined, 'deleted')
    await gone.accounts.start()
    expect(gone.accounts.shownId).toBe('sandbox')
  })

  it('show the one requested last, whichever opens first', async () => {
    const { accounts, gates, kept } = world()
    await accounts.start()
    const slow = gate()
    gates.set('work', slow.open)
    const first = accounts.show('work')
    const second = accounts.show('home')
    expect(await second).toBe(true)
    slow.pass()
    expect(await first).toBe(false)
    expect([accounts.shownId, kept.get('flightplan.account')]).toEqual(['home', 'home'])
  })

  it('stay on the current one when you go back before another opens', async () => {
    const { accounts, gates } = world()
    await accounts.start()
    const slow = gate()
    gates.set('work', slow.open)
    const away = accounts.show('work')
    await accounts.show('sandbox')
    slow.pass()
    await away
    expect(accounts.shownId).toBe('sandbox')
  })

  it('open each replica once, however often requested', async () => {
    const { accounts, done } = world()
    await accounts.start()
    accounts.openOthers()
    await Promise.all([accounts.show('work'), accounts.show('work')])
    expect(done.filter((line) => line === 'open work')).toHaveLength(1)
  })

  it('name one that fails to open, keep the others running, and retry when shown', async () => {
    const { accounts, gates } = world(undefined, 'work')
    const broken = gate()
    broken.fail(full)
    gates.set('work', broken.open)
    await accounts.start()
    expect([accounts.shownId, accounts.wanted?.id, accounts.fault('work')?.code]).toEqual(['', 'work', 'storage'])
    await accounts.show('home')
    expect(accounts.shownId).toBe('home')
    await expect(accounts.show('work')).rejects.toThrow('The disk is full.')
    expect(accounts.shownId).toBe('home')
    gates.delete('work')
    await accounts.show('work')
    expect([accounts.shownId, accounts.fault('work')]).toEqual(['work', undefined])
  })

  it('count pending changes and problems across accounts', async () => {
    const { accounts, counts } = world()
    counts.set('sandbox', { unsent: 2, needsYou: 1 })
    counts.set('work', { unsent: 3, needsYou: 2 })
    await accounts.start()
    accounts.openOthers()
    await settled()
    expect([accounts.allUnsent, accounts.allNeedYou]).toEqual([5, 3])
  })
})

describe('adding an account', () => {
  it('keeps it when its replica fails to open, since adding it again would create a second', async () => {
    const { accounts, answers, gates } = world([someAccount()])
    await accounts.start()
    answers.set('account/add', () => work)
    const broken = gate()
    broken.fail(full)
    gates.set('work', broken.open)
    expect((await accounts.add({ label: 'Work', vocabulary: 'public', address: 'https://x.example' })).id).toBe('work')
    expect([accounts.all.map(({ id }) => id), accounts.fault('work')?.code]).toEqual([['sandbox', 'work'], 'storage'])
  })
})

describe('signing in and out', () => {
  it('opens the browser once, even when requested twice', async () => {
    const { accounts, asked, answers } = world()
    await accounts.start()
    const browser = gate()
    answers.set('account/sign-in', () => browser.open)
    const both = [accounts.signIn('home'), accounts.signIn('home')]
    expect(accounts.isSigningIn('home')).toBe(true)
    browser.pass()
    await Promise.all(both)
    expect(asked.filter((line) => line === 'account/sign-in home')).toHaveLength(1)
    expect(accounts.isSigningIn('home')).toBe(false)
  })

  it('waits for two accounts at once without mixing them up', async () => {
    const { accounts, answers } = world()
    await accounts.start()
    const [one, two] = [gate(), gate()]
    const waiting = [one.open, two.open]
    answers.set('account/sign-in', () => waiting.shift())
    const first = accounts.signIn('home')
    const second = accounts.signIn('work')
    two.fail(new FaultError({ code: 'aborted', message: 'Cancelled.' }))
    await expect(second).rejects.toThrow('Cancelled.')
    expect([accounts.isSigningIn('home'), accounts.isSigningIn('work')]).toEqual([true, false])
    one.pass()
    await first
  })

  it('notifies the queue at once when a sign-in ends or returns', async () => {
    const { accounts, done, announce } = world()
    await accounts.start()
    accounts.openOthers()
    await settled()
    announce([someAccount(), { ...work, signIn: 'expired' }, home])
    expect(done.filter((line) => line.startsWith('sync'))).toEqual(['sync work'])
    announce([someAccount(), { ...work, signIn: 'expired', label: 'Agency' }, home])
    expect(done.filter((line) => line.startsWith('sync'))).toEqual(['sync work'])
    announce([someAccount(), work, home])
    expect(done.filter((line) => line.startsWith('sync'))).toEqual(['sync work', 'sync work'])
  })

  it('stops watch channels before it signs out', async () => {
    const { accounts, asked } = world()
    await accounts.start()
    await accounts.signOut('work')
    expect(asked.slice(-2)).toEqual(['sync/watch work', 'account/sign-out work'])
  })
})

describe('another window', () => {
  it('adds an account, which opens here as well', async () => {
    const { accounts, done, announce } = world([someAccount(), work])
    await accounts.start()
    announce([someAccount(), work, home])
    await settled()
    expect(done).toEqual(['open sandbox', 'open home'])
    expect(accounts.shownId).toBe('sandbox')
  })

  it('removes the account that is shown here', async () => {
    const { accounts, done, announce } = world(undefined, 'work')
    await accounts.start()
    announce([someAccount(), home])
    await settled()
    expect(accounts.shownId).toBe('sandbox')
    expect(done.slice(-2)).toEqual(['close work', 'destroy work'])
  })
})

describe('removing an account', () => {
  it('switches to another, closes the replica, and only then deletes it', async () => {
    const { accounts, done, announce } = world(undefined, 'work')
    await accounts.start()
    const forgotten: string[] = []
    accounts.onforget = (id) => void forgotten.push(`${id} while ${accounts.shownId} is shown`)
    const removed = accounts.remove('work')
    announce([someAccount(), home])
    await removed
    expect([accounts.shownId, forgotten]).toEqual(['sandbox', ['work while work is shown']])
    expect(done.slice(-2)).toEqual(['close work', 'destroy work'])
    await expect(accounts.show('work')).rejects.toThrow('no longer exists')
  })

  it("waits for a replica that's still opening and would recreate its database", async () => {
    const { accounts, done, gates } = world()
    await accounts.start()
    const slow = gate()
    gates.set('home', slow.open)
    accounts.openOthers()
    const removed = accounts.remove('home')
    await settled()
    expect(done).not.toContain('destroy home')
    slow.pass()
    await removed
    expect(done.slice(-2)).toEqual(['close home', 'destroy home'])
  })

  it.each([false, true])('leaves no text of it on this computer, if its replica stays: %s', async (stays) => {
    const { accounts, undeletable, kept } = world()
    await accounts.start()
    if (stays) undeletable.add('work')
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (...item: [string, string]) => void kept.set(...item),
    }
    for (const id of ['work', 'home']) {
      new TypedLine(storage, id, 'task').text = 'Call the printer'
      new DraftStore(storage, id).keep({ key: 'new', title: 'Review', calendarId: 'c', touched: {}, at: 0 })
      kept.set(`flightplan.free-busy.${id}`, '{}').set(`flightplan.unwritten.${id}`, '[]')
    }
    if (stays) await expect(accounts.remove('work')).rejects.toThrow('full')
    else await accounts.remove('work')
    const left = [...kept.keys()].filter((key) => key !== 'flightplan.account')
    expect(left.sort()).toEqual(['drafts', 'free-busy', 'lines', 'unwritten'].map((name) => `flightplan.${name}.home`))
  })

  it('changes nothing when main rejects it', async () => {
    const { accounts, answers, done, kept } = world(undefined, 'work')
    accounts.onforget = (id) => void done.push(`forget ${id}`)
    kept.set('flightplan.lines.work', '[]')
    await accounts.start()
    answers.set('account/remove', () => {
      throw new FaultError({ code: 'invalid', message: 'One change of Work has not been sent yet.' })
    })
    await expect(accounts.remove('work')).rejects.toThrow('not been sent yet')
    expect([accounts.shownId, accounts.all.length]).toEqual(['work', 3])
    expect(done).not.toContain('close work')
    expect(kept.has('flightplan.lines.work')).toBe(true)
  })

  it('shows only the error when no other account opens', async () => {
    const { accounts, gates } = world([someAccount(), work], 'work')
    await accounts.start()
    const broken = gate()
    broken.fail(full)
    gates.set('sandbox', broken.open)
    await accounts.remove('work')
    expect([accounts.shownId, accounts.fault('sandbox')?.code]).toEqual(['', 'storage'])
  })
})
