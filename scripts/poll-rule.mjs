// A rule of oxlint: what a page shows, and what it asked of the shell, is polled (`expect.poll`). It may still be changing when
// a slow computer reads it once.

const reads =
  /^(count|is(Visible|Hidden|Enabled|Disabled|Checked)|textContent|inputValue|innerText|getAttribute|all(TextContents|InnerTexts)|boundingBox)$/

const readsPage = (node) =>
  node?.type === 'AwaitExpression' &&
  node.argument.type === 'CallExpression' &&
  node.argument.callee.type === 'MemberExpression' &&
  reads.test(node.argument.callee.property.name)

/** Whether it's a member of `app.shell`. */
function readsShell(node) {
  if (node?.type === 'CallExpression') return readsShell(node.callee)
  return node?.type === 'MemberExpression' && (node.property.name === 'shell' || readsShell(node.object))
}

/** Whether the nearest function around a node is repeated until it passes. */
function isRepeated(node) {
  let inner = node
  while (inner && !/Function/.test(inner.type)) inner = inner.parent
  const caller = inner?.parent?.type === 'CallExpression' ? inner.parent.callee : undefined
  return /^(until|waitFor)$/.test(caller?.name ?? caller?.property?.name)
}

const shown = {
  create: (context) => ({
    CallExpression(node) {
      const [read] = node.arguments
      if (node.callee.name === 'expect' && (readsPage(read) || readsShell(read)) && !isRepeated(node))
        context.report({ node, message: 'Use await expect.poll(() => …): the page may not show it yet.' })
    },
  }),
}

export default { meta: { name: 'poll' }, rules: { shown } }
