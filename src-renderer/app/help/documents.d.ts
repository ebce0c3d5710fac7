declare module '*.md' {
  const tokens: import('marked').Token[]
  export default tokens
}
