import { FaultError, type FaultCode } from '#shared/fault'

/** What the service refuses. @throws FaultError */
export function fail(code: FaultCode, message: string = code): never {
  throw new FaultError({ code, message })
}
