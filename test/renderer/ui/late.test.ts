import { describe, expect, it } from 'vitest'
import { Late } from '../../../src-renderer/ui/late.svelte'

describe('a lazy component', () => {
  it("loads once, however often it's requested", async () => {
    let reads = 0
    const late = new Late(() => Promise.resolve({ default: `read ${++reads}` }))
    expect(late.component).toBeNull()
    await Promise.all([late.load(), late.load()])
    await late.load()
    expect(late.component).toBe('read 1')
  })

  it('reports a load error and retries on the next request', async () => {
    let there = false
    const late = new Late(() =>
      there ? Promise.resolve({ default: 'it' }) : Promise.reject(new Error('The file is missing')),
    )
    await expect(late.load()).rejects.toThrow('missing')
    expect(late.failed).toBe(true)
    expect(late.component).toBeNull()
    there = true
    await late.load()
    expect(late.failed).toBe(false)
    expect(late.component).toBe('it')
  })
})
