class OnPaper {
  /** The view is laid out for a printer: what is drawn only in sight is drawn whole. */
  on = $state(false)
}

/** Of this window. */
export const onPaper = new OnPaper()
