// A rule of oxlint: time is asked of a clock that is handed on (`src-shared/time/clock.ts`), so that `--now` moves all of
// it, and no wait grows because someone sets the computer's clock back.

/** Functions that read the clock, by their owner. */
const members = new Map([
  ['Date', ['now']],
  ['performance', ['now', 'timeOrigin']],
  ['process', ['hrtime', 'uptime']],
  ['Temporal', ['Now']],
  ['DateTime', ['now']],
])

const tellsTime = (owner, key) => members.get(owner?.name)?.includes(key.name ?? key.value) === true

/** Methods without arguments, of DateTime or of any format. A format of nothing is one of now. */
const meansNow = ({ object, property, computed }) =>
  !computed &&
  (object.name === 'DateTime' ? /^(local|utc|format|formatToParts)$/ : /^(format|formatToParts)$/).test(property.name)

const handedOn = {
  create(context) {
    const report = (node) =>
      context.report({ node, message: 'Ask a Clock (src-shared/time/clock.ts) that is handed on.' })
    return {
      MemberExpression(node) {
        if (tellsTime(node.object, node.property)) report(node)
      },
      VariableDeclarator(node) {
        const keys = node.id.type === 'ObjectPattern' ? node.id.properties.map(({ key }) => key) : []
        if (keys.some((key) => key !== undefined && tellsTime(node.init, key))) report(node)
      },
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length === 0) report(node)
      },
      CallExpression(node) {
        const { callee } = node
        const now = callee.type === 'MemberExpression' && node.arguments.length === 0 && meansNow(callee)
        if (callee.name === 'Date' || now) report(node)
      },
    }
  },
}

export default { meta: { name: 'clock' }, rules: { 'handed-on': handedOn } }
