import { describe, expect, it } from 'vitest'
import { faultCodes, FaultError, faultOf, faults } from '#shared/fault'

describe('a thrown value', () => {
  it('that is a fault stays unchanged', () => {
    const fault = { code: 'badAnswer', message: 'Half of it is missing' } as const
    expect(faultOf(new FaultError(fault))).toEqual(fault)
  })

  it.each([new RangeError('settings cannot be deleted'), new TypeError('x is undefined'), new Error('No'), 'text'])(
    "that's unexpected becomes a bug of ours: %s",
    (error) => {
      expect(faultOf(error)).toMatchObject({ code: 'mistake', message: expect.stringMatching(/./) as string })
    },
  )
})

describe("a fault's meaning", () => {
  it('exists for every code', () => {
    expect(Object.keys(faults).sort()).toEqual([...faultCodes].sort())
  })

  it('never blames one entry for a failing service or computer', () => {
    const wide = faultCodes.filter((code) => faults[code].concerns !== 'entry')
    expect(wide).toEqual(['offline', 'unreachable', 'signInExpired', 'rateLimited', 'quotaSpent', 'storage'])
  })

  it('says a write may have arrived only if the response is missing or invalid', () => {
    const unknown = faultCodes.filter((code) => faults[code].mayHaveArrived)
    expect(unknown).toEqual(['answerLost', 'aborted', 'unavailable', 'badAnswer'])
  })

  it('says that a bug of ours would recur', () => {
    expect(faults.mistake).toEqual({ retry: false, concerns: 'entry', mayHaveArrived: false })
  })
})
