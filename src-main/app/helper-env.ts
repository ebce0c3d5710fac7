/** Environment variables that a process needs: paths, language, and time zone. */
const needed = new Set([
  ...['PATH', 'HOME', 'USERPROFILE', 'SYSTEMROOT', 'TMPDIR', 'TEMP', 'TMP'],
  ...['LANG', 'LANGUAGE', 'TZ', 'LD_LIBRARY_PATH'],
])

/** The environment of a helper process, without keys and tokens of other programs. */
export const helperEnvironment = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => {
      const upper = name.toUpperCase()
      return value !== undefined && (needed.has(upper) || upper.startsWith('LC_')) ? [[name, value] as const] : []
    }),
  )
