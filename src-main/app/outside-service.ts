import type { LocalService } from './backend'

/** A service that was started elsewhere, so it can't be stopped from here. */
export class OutsideService implements LocalService {
  readonly running = true
  readonly started = Promise.resolve()
  address: { baseUrl: string; token: string }

  constructor(baseUrl: string, token: string) {
    this.address = { baseUrl, token }
  }

  renewed(token: string): void {
    this.address = { ...this.address, token }
  }

  keepRunning(): void {}

  start(): Promise<void> {
    return Promise.resolve()
  }

  stop(): Promise<void> {
    return Promise.resolve()
  }
}
