import svelte from 'eslint-plugin-svelte'
import tseslint from 'typescript-eslint'

// Rules that need no types: who may ask for the time, and the markup of components. oxlint has the typed rules
// (.oxlintrc.json), because it takes seconds where ESLint takes minutes.

/**
 * Time is asked of a clock that is handed on (`src-shared/time/clock.ts`), so that `--now` moves all of it and what waits
 * does not wait longer because somebody sets the clock back.
 */
const message = 'Ask a Clock (src-shared/time/clock.ts) that is handed on.'
const theClock = {
  'no-restricted-properties': [
    'error',
    { object: 'Date', property: 'now', message },
    { object: 'performance', property: 'now', message },
    { object: 'performance', property: 'timeOrigin', message },
    { object: 'process', property: 'hrtime', message },
    { object: 'process', property: 'uptime', message },
    { object: 'Temporal', property: 'Now', message },
    { object: 'DateTime', property: 'now', message },
  ],
  'no-restricted-syntax': [
    'error',
    { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message },
    { selector: "CallExpression[callee.name='Date']", message },
    {
      selector:
        "CallExpression[callee.object.name='DateTime'][callee.property.name=/^(local|utc)$/][arguments.length=0]",
      message,
    },
    // A format of nothing is one of now.
    { selector: 'CallExpression[callee.property.name=/^(format|formatToParts)$/][arguments.length=0]', message },
  ],
}
/** The clock itself, and measurements of speed. */
const clockFiles = ['src-shared/time/clock.ts', 'test/helpers/moved-clock.mjs', 'test/bench/**']

export default tseslint.config(
  { ignores: ['node_modules/', 'out/', 'dist/', '.cache/', '.svelte-check/', 'src-shared/wire/**/types.ts'] },
  ...svelte.configs.base,
  { files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } },
  {
    files: ['**/*.svelte'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/ban-ts-comment': 'error',
      eqeqeq: 'error',
      'no-debugger': 'error',
      'no-eval': 'error',
      'svelte/no-at-html-tags': 'error',
    },
  },
  {
    files: ['src-*/**/*.{ts,svelte}', 'test/**/*.{ts,mjs}', 'scripts/tour/*.ts'],
    ignores: clockFiles,
    rules: theClock,
  },
)
