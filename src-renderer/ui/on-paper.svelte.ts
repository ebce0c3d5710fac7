class OnPaper {
  /** The view is laid out for a printer: what is drawn only in sight is drawn whole. */
  on = $state(false)
}

/** State of this window. */
export const onPaper = new OnPaper()
