/** Fields with invalid text, which block submitting the form. */
export class Unread {
  /** Why, by the field's name. */
  fields = $state.raw<Readonly<Record<string, string>>>({})

  /** For a field's `onunread`. Null clears its problem. */
  set(field: string, problem: string | null): void {
    const { [field]: _over, ...rest } = this.fields
    this.fields = problem === null ? rest : { ...rest, [field]: problem }
  }

  get any(): boolean {
    return Object.keys(this.fields).length > 0
  }
}
