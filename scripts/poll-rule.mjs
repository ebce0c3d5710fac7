// A rule of oxlint: what a page shows is polled (`expect.poll`). It may still be changing when a slow computer reads it once.

const reads =
  /^(count|is(Visible|Hidden|Enabled|Disabled|Checked)|textContent|inputValue|innerText|getAttribute|all(TextContents|InnerTexts)|boundingBox)$/

const readsPage = (node) =>
  node?.type === 'AwaitExpression' &&
  node.argument.type === 'CallExpression' &&
  node.argument.callee.type === 'MemberExpression' &&
  reads.test(node.argument.callee.property.name)

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
      if (node.callee.name === 'expect' && readsPage(node.arguments[0]) && !isRepeated(node))
        context.report({ node, message: 'Use await expect.poll(() => …): the page may not show it yet.' })
    },
  }),
}

export default { meta: { name: 'poll' }, rules: { shown } }
