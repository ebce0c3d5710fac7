import type { Environment } from '../environment'

/** Milliseconds for which work may block the thread: half a frame. */
const usualPatience = 8

/** Yields to the next frame during long work, until the work is aborted. */
export class FrameYield {
  private until: number

  constructor(
    private readonly environment: Pick<Environment, 'elapsed' | 'setTimer'>,
    private readonly signal?: AbortSignal,
    private readonly patience = usualPatience,
  ) {
    this.until = environment.elapsed() + patience
  }

  /** True if it's time to yield. */
  get due(): boolean {
    return this.environment.elapsed() >= this.until
  }

  /**
   * Yields to the next frame.
   * @throws the signal's reason
   */
  async take(): Promise<void> {
    this.signal?.throwIfAborted()
    await new Promise<void>((resolve) => this.environment.setTimer(resolve, 0))
    this.signal?.throwIfAborted()
    this.until = this.environment.elapsed() + this.patience
  }
}
