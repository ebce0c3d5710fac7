import type { Peers } from '../../src-renderer/replica/follow/peers'

export interface LocalPeers extends Peers {
  /** Milliseconds that each message takes. */
  latency: number
  /** Number of ends of lines that are open. */
  readonly open: number
  /** Ends the window that held a name first or last, as a crash does: what it held is free. */
  end(which: 'first' | 'last'): void
}

/** Windows in one process, with copies of messages and holders of names as between processes. */
export function localPeers(): LocalPeers {
  const lines = new Map<string, Set<(message: unknown) => void>>()
  const held = new Map<string, { free: () => void; freed: Promise<void> }>()
  const peers: LocalPeers = {
    latency: 0,
    get open() {
      return [...lines.values()].reduce((sum, all) => sum + all.size, 0)
    },
    line: (name) => {
      const all = lines.get(name) ?? new Set()
      lines.set(name, all)
      let own: (message: unknown) => void = () => undefined
      const hear = (message: unknown): void => own(message)
      all.add(hear)
      return {
        send: (message) => {
          const copy = structuredClone(message)
          const others = [...all].filter((one) => one !== hear)
          const tellAll = (): void => others.forEach((tell) => all.has(tell) && tell(copy))
          setTimeout(tellAll, peers.latency)
        },
        listen: (listener) => void (own = listener),
        close: () => void all.delete(hear),
      }
    },
    hold: async (name) => {
      let free!: () => void
      const freed = new Promise<void>((resolve) => (free = resolve))
      held.set(name, { free, freed })
      return free
    },
    released: (name) => held.get(name)?.freed ?? Promise.resolve(),
    end: (which) => {
      const one = [...held].at(which === 'first' ? 0 : -1)
      if (!one) return
      const [name, { free }] = one
      held.delete(name)
      free()
    },
  }
  return peers
}
