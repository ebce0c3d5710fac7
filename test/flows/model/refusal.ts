import { FaultError, type FaultCode } from '#shared/fault'

/** Throws the service's error. @throws FaultError */
export function fail(code: FaultCode, message: string = code): never {
  throw new FaultError({ code, message })
}
