#include "train/counted_memory_helper.h"

#include <c10/core/Allocator.h>
#include <c10/util/Exception.h>

#include <atomic>

namespace burnish::testing_tools {
namespace {

constexpr uint8_t kPriority = 1;

// A block may outlive the object that counts.
using Counter = std::shared_ptr<std::atomic<size_t>>;

struct Block {
  c10::DataPtr memory;
  Counter alive;
  size_t size;
};

void free_block(void* context) {
  const std::unique_ptr<Block> block(static_cast<Block*>(context));
  *block->alive -= block->size;
}

}  // namespace

struct CountedMemory::Allocator : c10::Allocator {
  c10::Allocator* usual = c10::GetAllocator(c10::DeviceType::CPU);
  size_t refused = 0;
  Counter alive = std::make_shared<std::atomic<size_t>>(0);
  std::atomic<size_t> peak = 0;

  c10::DataPtr allocate(size_t n) override {
    TORCH_CHECK(n == 0 || n != refused,
                "DefaultCPUAllocator: can't allocate memory: you tried to allocate ", n,
                " bytes. Error code 12 (Cannot allocate memory)");
    const size_t now = *alive += n;
    for (size_t old = peak; old < now && !peak.compare_exchange_weak(old, now);) {
    }
    auto block = std::make_unique<Block>(Block{usual->allocate(n), alive, n});
    void* data = block->memory.get();
    return {data, block.release(), &free_block, c10::Device(c10::DeviceType::CPU)};
  }
  void copy_data(void* to, const void* from, size_t n) const override {
    default_copy_data(to, from, n);
  }
};

CountedMemory::CountedMemory(size_t refused_bytes) : allocator_(std::make_unique<Allocator>()) {
  allocator_->refused = refused_bytes;
  c10::SetAllocator(c10::DeviceType::CPU, allocator_.get(), kPriority);
}

CountedMemory::~CountedMemory() {
  c10::SetAllocator(c10::DeviceType::CPU, allocator_->usual, kPriority);
}

size_t CountedMemory::take_peak() {
  return allocator_->peak.exchange(*allocator_->alive);
}

size_t CountedMemory::alive() const {
  return *allocator_->alive;
}

}  // namespace burnish::testing_tools
