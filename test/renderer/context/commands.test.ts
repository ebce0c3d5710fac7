import { describe, expect, it, vi } from 'vitest'
import { Commands } from '../../../src-renderer/context/commands.svelte'
import { modal } from '../../../src-renderer/ui/modal.svelte'

const command = (id: string, keys: string[], when?: () => boolean) => ({
  id,
  title: id,
  group: 'Test',
  keys,
  run: () => void log.push(id),
  ...(when && { when }),
})
let log: string[] = []

describe('commands', () => {
  it('match any of their keys, latest first, until unregistered', () => {
    const commands = new Commands(() => true)
    commands.register([command('app', ['x', 'Ctrl+Z'])])
    const leave = commands.register([command('view', ['x'])])
    expect(commands.find('x')?.id).toBe('view')
    expect(commands.find('Ctrl+z')?.id).toBe('app')
    leave()
    expect(commands.find('x')?.id).toBe('app')
  })
  it("yield to others while their condition isn't met", () => {
    const commands = new Commands(() => true)
    let selected = false
    commands.register([command('special', ['Alt+ArrowLeft'], () => selected)])
    // An app command, parts of which exist only after a view is registered.
    commands.registerGeneral([command('general', ['Alt+ArrowLeft'])])
    expect(commands.find('Alt+ArrowLeft')?.id).toBe('general')
    selected = true
    expect(commands.find('Alt+ArrowLeft')?.id).toBe('special')
  })

  it('of a view don’t run by key behind a dialog, and others do', () => {
    const commands = new Commands(() => true)
    commands.registerGeneral([command('app.palette', ['Ctrl+K'])])
    commands.register([command('calendar.new', ['Ctrl+N']), command('calendar.paste', ['Ctrl+V'])])
    const found = () => ['Ctrl+k', 'Ctrl+n', 'Ctrl+v'].map((keys) => commands.find(keys)?.id)
    const end = modal.begin()
    expect(found()).toEqual(['app.palette', undefined, undefined])
    end()
    expect(found()).toEqual(['app.palette', 'calendar.new', 'calendar.paste'])
  })

  it('work only in the element that they need the focus in', () => {
    const commands = new Commands(() => true)
    const [list, tree] = [new EventTarget(), new EventTarget()]
    commands.register([{ id: 'back', title: 'Back', group: 'App', keys: ['Alt+ArrowLeft'], run: () => undefined }])
    const keysIn = (): Element => list as Element
    commands.register([
      { id: 'move', title: 'Move', group: 'List', keys: ['Alt+ArrowLeft'], keysIn, run: () => undefined },
    ])
    expect([list, tree, null].map((target) => commands.find('Alt+ArrowLeft', target)?.id)).toEqual([
      'move',
      'back',
      'back',
    ])
    expect(commands.run('move')).toBe(true)
  })
  it('are offered from where to go over those of the view to the others', () => {
    const commands = new Commands(() => true)
    commands.registerGeneral([command('app.messages', [])])
    commands.registerGeneral([command('app.print', []), command('go.tasks', []), command('go.new-task', [])])
    commands.register([command('calendar.today', [])])
    expect(commands.offered.map(({ id }) => id)).toEqual([
      'go.tasks',
      'go.new-task',
      'calendar.today',
      'app.messages',
      'app.print',
    ])
  })
  it('let you turn off single-key shortcuts, except for help', () => {
    let on = false
    const commands = new Commands(() => on)
    commands.register([command('new', ['c']), command('help', ['?']), command('undo', ['Ctrl+Z'])])
    expect([commands.find('c'), commands.find('?')?.id, commands.find('Ctrl+z')?.id]).toEqual([
      undefined,
      'help',
      'undo',
    ])
    on = true
    expect(commands.find('c')?.id).toBe('new')
  })
  it('run by name only when their condition is met', () => {
    log = []
    const commands = new Commands(() => true)
    commands.register([command('a', []), command('b', [], () => false)])
    expect([commands.run('a'), commands.run('b'), commands.run('c')]).toEqual([true, false, false])
    expect(log).toEqual(['a'])
  })
})

describe('keys typed in a field that is then removed', () => {
  class Target {
    isConnected = true
    constructor(readonly isField: boolean) {}
    closest = (selector: string): Target | null => (this.isField && selector.includes('textarea') ? this : null)
  }
  /** Presses keys, each sent to a target, the way down and up again. Returns the commands that ran. */
  function pressing() {
    vi.stubGlobal('Element', Target)
    log = []
    const commands = new Commands(() => true)
    commands.register([command('run', ['r', 'Shift+r']), command('delete', ['Delete', 'Backspace'])])
    commands.register([command('toggle', ['Space']), command('post', ['Ctrl+Enter']), command('down', ['ArrowDown'])])
    const [field, body] = [new Target(true), new Target(false)]
    const press = (target: Target, key: string, more: Partial<KeyboardEvent> = {}): boolean => {
      let isStopped = false
      const event = {
        ...{ key, target, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isComposing: false },
        ...{ defaultPrevented: false, getModifierState: () => false, stopPropagation: () => (isStopped = true) },
        preventDefault: () => void (event.defaultPrevented = true),
        ...more,
      }
      commands.onkeydowncapture(event as unknown as KeyboardEvent)
      if (!isStopped) commands.onkeydown(event as unknown as KeyboardEvent)
      return isStopped
    }
    return { commands, field, body, press }
  }

  it('run no command until you do something else', () => {
    const { commands, field, body, press } = pressing()
    press(field, 'a')
    field.isConnected = false
    press(body, 'Shift', { shiftKey: true })
    press(body, 'R', { shiftKey: true })
    for (const key of ['r', ' ', 'Backspace', 'Delete']) expect(press(body, key), key).toBe(true)
    expect(log).toEqual([])
    press(body, 'Enter', { ctrlKey: true })
    press(body, 'r')
    expect(log).toEqual(['post', 'run'])

    for (const end of ['Enter', 'Escape', 'Tab', 'ArrowDown']) {
      const again = new Target(true)
      press(again, 'a')
      again.isConnected = false
      press(body, end)
      press(body, 'r')
    }
    const last = new Target(true)
    press(last, 'a')
    last.isConnected = false
    commands.endTyping()
    press(body, 'r')
    expect(log.slice(2)).toEqual(['run', 'run', 'run', 'down', 'run', 'run'])
  })
  it('run commands again in a field that stays, or that Enter closed', () => {
    const { field, body, press } = pressing()
    press(field, 'a')
    press(body, 'r')
    press(field, 'a')
    press(field, 'Enter')
    field.isConnected = false
    press(body, 'r')
    expect(log).toEqual(['run', 'run'])
  })
})
