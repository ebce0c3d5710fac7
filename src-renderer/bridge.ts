import { FaultError } from '#shared/fault'
import { isAnsweredAsText } from '#shared/ipc/as-text'
import type { Answer, Bridge, ExposedBridge, RequestAnswers, RequestArguments, RequestName } from '#shared/ipc/contract'

declare global {
  interface Window {
    /** Put there by preload. */
    readonly flightplan: ExposedBridge
  }
}

/** Wraps the bridge exposed by preload. Parses answers that arrive as text. */
export function bridgeOver(exposed: ExposedBridge): Bridge {
  return {
    ask: async <N extends RequestName>(name: N, args: RequestArguments<N>) => {
      const answer = await exposed.ask(name, args)
      if (!answer.ok || !isAnsweredAsText(name)) return answer as Answer<RequestAnswers[N]>
      return { ok: true, value: JSON.parse(answer.value as string) as RequestAnswers[N] }
    },
    on: (name, listener) => exposed.on(name, listener),
  }
}

/** Asks main and unpacks the answer. @throws FaultError with main's fault. */
export async function ask<N extends RequestName>(
  bridge: Bridge,
  name: N,
  args: RequestArguments<N>,
): Promise<RequestAnswers[N]> {
  const answer = await bridge.ask(name, args)
  if (!answer.ok) throw new FaultError(answer.fault)
  return answer.value
}
