class OnPaper {
  /** True while the view is laid out for printing, which draws everything, not only the visible part. */
  on = $state(false)
}

/** State of this window. */
export const onPaper = new OnPaper()
