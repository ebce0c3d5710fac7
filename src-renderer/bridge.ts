import { FaultError } from '#shared/fault'
import type { Bridge, ExposedBridge, RequestAnswers, RequestArguments, RequestName } from '#shared/ipc/contract'

declare global {
  interface Window {
    /** Put there by preload. */
    readonly flightplan: ExposedBridge
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
