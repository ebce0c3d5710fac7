import type { Environment } from '../environment'

/** So long the thread may be kept, in milliseconds: half a frame. */
const usualPatience = 8

/** Gives the thread away between the pieces of long work, which ends where nobody wants it any more. */
export class Breath {
  private until: number

  constructor(
    private readonly environment: Pick<Environment, 'elapsed' | 'setTimer'>,
    private readonly signal?: AbortSignal,
    private readonly patience = usualPatience,
  ) {
    this.until = environment.elapsed() + patience
  }

  /** Whether a piece of work has lasted long enough. */
  get due(): boolean {
    return this.environment.elapsed() >= this.until
  }

  /** @throws what the signal says */
  async take(): Promise<void> {
    this.signal?.throwIfAborted()
    await new Promise<void>((resolve) => this.environment.setTimer(resolve, 0))
    this.signal?.throwIfAborted()
    this.until = this.environment.elapsed() + this.patience
  }
}
