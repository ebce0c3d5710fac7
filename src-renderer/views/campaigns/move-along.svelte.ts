/** Answers that are remembered until the window closes, by account. */
const remembered = new WeakMap<object, boolean>()

/** Asks whether flights inside of moved ones move along. */
export class MoveAlong {
  /** Records that could move along, while a dialog asks. */
  asked = $state.raw<{ words: string; answer: (along: boolean | null) => void } | null>(null)

  /** @param account the replica whose answer is remembered. @returns null if the move was canceled */
  async ask(account: object, words: string): Promise<boolean | null> {
    const known = remembered.get(account)
    if (known !== undefined) return known
    const along = await new Promise<boolean | null>((answer) => {
      this.asked = { words, answer }
    })
    this.asked = null
    return along
  }
  /** @param remember answers later questions the same way, too */
  answer(account: object, along: boolean | null, remember: boolean): void {
    if (remember && along !== null) remembered.set(account, along)
    this.asked?.answer(along)
  }
}
