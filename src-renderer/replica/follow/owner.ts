import { safeParse } from '#shared/safe-parse'
import { faultOf } from '#shared/fault'
import type { EditTurn, Topic } from '../api'
import type { Commits } from '../commits'
import type { Environment } from '../environment'
import type { LocalReplica } from '../local-replica'
import type { Memory } from '../memory'
import type { Moved, Store } from '../store'
import { commands, meeting, toOwner, type FromOwner, type Saved, type ToOwner } from './messages'
import { meetingLine, type Line, type Peers } from './peers'

export interface OwnerParts<Live> {
  replica: LocalReplica
  memory: Memory
  commits: Commits
  store: Store
  environment: Environment
  peers: Peers
  /** State of the sync loop, and the topics that depend on it. */
  live: () => Live
}

const liveTopics: readonly Topic[] = ['status', 'downloads']
/** Milliseconds between two announcements of the loop's state. */
const livePause = 16

/** Lets other windows of the account follow this replica, which carries out their commands. @returns ends it */
export async function serveFollowers<Live>(parts: OwnerParts<Live>): Promise<() => void> {
  const { replica, commits, store, environment, peers, live } = parts
  const name = `${meetingLine(replica.account.id)}:${crypto.randomUUID()}`
  const release = await peers.hold(name)
  const followers = new Map<string, Follower<Live>>()
  const known = new Set<string>()
  const tellAll = (message: FromOwner<Live>): void => followers.forEach((follower) => follower.tell(message))

  // Blocks on disk move before memory may rely on them: rows in them are announced first.
  let moves: Moved[] = []
  const tellMoves = (): void => {
    for (const moved of moves) tellAll({ kind: 'moved', moved })
    moves = []
  }
  store.onMoved((moved) => {
    if (followers.size === 0) return
    moves.push(moved)
    if (!commits.isWriting) tellMoves()
  })
  commits.onsaved = (all) => {
    if (followers.size === 0) return
    const saved = all.map(({ writes, renames, bodies, remote, topics }): Saved => ({
      ...{ writes, renames, bodies, remote },
      topics: [...topics],
    }))
    tellAll({ kind: 'saved', saved })
    tellMoves()
  }
  const changed = new Set<Topic>()
  let timer: unknown
  const tellLive = (): void => {
    environment.clearTimer(timer)
    timer = undefined
    if (changed.size > 0) tellAll({ kind: 'live', live: live(), topics: [...changed] })
    changed.clear()
  }
  const off = replica.subscribe((topics) => {
    if (followers.size === 0) return
    for (const topic of liveTopics) if (topics.has(topic)) changed.add(topic)
    if (changed.size > 0) timer ??= environment.setTimer(tellLive, livePause)
  })

  const meet = peers.line(meetingLine(replica.account.id))
  meet.listen((message) => {
    const read = safeParse(meeting, message)
    if (!read.success || read.data.kind !== 'hello' || known.has(read.data.name)) return
    const { name: theirs } = read.data
    known.add(theirs)
    const follower = new Follower(parts, peers.line(theirs), tellLive, () => followers.delete(theirs))
    // The data that the follower loads next contains everything saved so far.
    void commits.whenSaved(() => {
      if (follower.ended) return
      followers.set(theirs, follower)
      follower.begin(name)
    })
    void peers.released(theirs).then(() => follower.end())
  })
  meet.send({ kind: 'here' })
  return () => {
    off()
    environment.clearTimer(timer)
    commits.onsaved = () => undefined
    meet.close()
    tellAll({ kind: 'bye' })
    for (const follower of [...followers.values()]) follower.end()
    release()
  }
}

/** A following window, as the owner sees it. */
class Follower<Live> {
  private readonly running = new Map<number, AbortController>()
  /** Turns that the window has or waits for. `end` also drops a turn that hasn't begun. */
  private readonly turns = new Map<number, { turn?: EditTurn; end: () => void }>()
  ended = false

  constructor(
    private readonly parts: OwnerParts<Live>,
    private readonly line: Line,
    private readonly tellLive: () => void,
    private readonly gone: () => void,
  ) {
    line.listen((message) => {
      const read = safeParse(toOwner, message)
      if (read.success && !this.ended) this.take(read.data)
    })
  }

  begin(owner: string): void {
    const { remote, renamed, firstIds } = this.parts.memory
    this.tell({ kind: 'welcome', owner, state: { remote: remote.state, renamed, firstIds }, live: this.parts.live() })
  }

  tell(message: FromOwner<Live>): void {
    if (!this.ended) this.line.send(message)
  }

  /** Called when the window closed or crashed, so that later edits don't wait for it. */
  end(): void {
    if (this.ended) return
    this.ended = true
    this.gone()
    for (const { end } of [...this.turns.values()]) end()
    this.line.close()
  }

  private take(message: ToOwner): void {
    switch (message.kind) {
      case 'call':
        return void this.answer(message.id, (control) => this.call(message, control))
      case 'read': {
        const { store } = this.parts
        const read = store[message.read].bind(store) as (...args: unknown[]) => Promise<unknown>
        return void this.answer(message.id, () => read(...message.args))
      }
      case 'abort':
        return this.running.get(message.id)?.abort()
      case 'takeTurn':
        return this.giveTurn(message.id)
      case 'endTurn':
        return this.turns.get(message.id)?.end()
      case 'bye':
        return this.end()
    }
  }

  private call({ id, command, args, turn }: ToOwner & { kind: 'call' }, control: AbortController): unknown {
    const { options, work } = commands[command] as { options?: number; work?: number }
    const given = [...args]
    if (options !== undefined && turn !== undefined)
      given[options] = { ...(given[options] as object), turn: this.turns.get(turn)?.turn }
    if (work !== undefined)
      given[work] = {
        signal: control.signal,
        onprogress: (done: number, of: number) => this.tell({ kind: 'progress', id, done, of }),
      }
    const { replica } = this.parts
    return (replica[command] as (...args: unknown[]) => unknown).apply(replica, given)
  }

  private async answer(id: number, work: (control: AbortController) => unknown): Promise<void> {
    const control = new AbortController()
    this.running.set(id, control)
    try {
      const value = await work(control)
      this.tellLive()
      this.tell({ kind: 'reply', id, value })
    } catch (error) {
      const aborted = control.signal.aborted && error === control.signal.reason
      this.tell({ kind: 'failed', id, fault: faultOf(error), aborted })
    } finally {
      this.running.delete(id)
    }
  }

  private giveTurn(id: number): void {
    const { replica, commits } = this.parts
    this.turns.set(id, { end: () => this.turns.delete(id) })
    void replica.inTurn(
      (turn) =>
        new Promise<void>((resolve) => {
          if (!this.turns.has(id)) return resolve()
          const end = (): void => {
            this.turns.delete(id)
            turn.end()
            resolve()
          }
          this.turns.set(id, { turn, end })
          // Until then, the other window's memory lacks earlier edits.
          void commits.whenSaved(() => this.tell({ kind: 'turn', id }))
        }),
    )
  }
}
