"""transformers' own model in a chosen precision."""
import torch
from transformers import AutoModelForCausalLM
from transformers.models.llama.modeling_llama import LlamaRMSNorm


def load(folder: str, dtype: torch.dtype):
    """In float64 all is double but the rope tables: transformers computes its norms in fp32, whatever the dtype."""
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, attn_implementation="sdpa")
    if dtype == torch.float64:
        for module in model.modules():
            if isinstance(module, LlamaRMSNorm):
                module.forward = double_norm(module)
    return model


def double_norm(norm: LlamaRMSNorm):
    def forward(x):
        return norm.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + norm.variance_epsilon))

    return forward
